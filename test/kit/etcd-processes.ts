/** Members of etcd as processes, which a test can kill, stop and start again. */

import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { freePorts } from '#test/kit/free-ports.ts'
import type { Cleaner } from '#test/kit/gateway-process.ts'
import type { Machine } from '#test/kit/machine.ts'
import { realPause } from '#test/kit/real-pause.ts'

/** Why there is no etcd on this machine; false: there is one. */
export function lacksEtcd(): string | false {
  try {
    execFileSync('etcd', ['--version'], { stdio: 'ignore' })
    return false
  } catch {
    return 'etcd is not installed: apt-get install etcd-server'
  }
}

export class EtcdProcesses {
  readonly ports: readonly number[]
  readonly #peers: readonly number[]
  readonly #machines: readonly Machine[]
  readonly #children: (ChildProcess | null)[]

  private constructor(machines: readonly Machine[], ports: readonly number[], peers: readonly number[]) {
    this.#machines = machines
    this.ports = ports
    this.#peers = peers
    this.#children = ports.map(() => null)
  }

  /** Starts a member on each machine. */
  static async start(t: Cleaner, machines: readonly Machine[]): Promise<EtcdProcesses> {
    const count = machines.length
    const ports = await freePorts(2 * count)
    const etcd = new EtcdProcesses(machines, ports.slice(0, count), ports.slice(count))
    t.after(() => Promise.all(etcd.ports.map((_, member) => etcd.kill(member))))
    for (const member of etcd.ports.keys()) etcd.run(member)
    await etcd.answers()
    return etcd
  }

  get urls(): string[] {
    return this.ports.map((_, member) => this.#url(member, this.ports))
  }

  #machine(member: number): Machine {
    const machine = this.#machines[member]
    if (machine === undefined) throw new RangeError(`no member ${member}`)
    return machine
  }

  #url(member: number, ports: readonly number[]): string {
    return `http://${this.#machine(member).host}:${ports[member]}`
  }

  /** Starts a member, or lets it go on if it was stopped. */
  run(member: number): void {
    const running = this.#children[member]
    if (running != null && running.exitCode === null && running.signalCode === null) {
      running.kill('SIGCONT')
      return
    }
    const peers = this.#peers.map((_, index) => `m${index}=${this.#url(index, this.#peers)}`).join(',')
    const client = this.#url(member, this.ports)
    const peer = this.#url(member, this.#peers)
    const { folder, under } = this.#machine(member)
    const [command = 'etcd', ...first] = [...under, 'etcd']
    this.#children[member] = spawn(
      command,
      [
        first,
        ['--name', `m${member}`, '--data-dir', join(folder, `etcd${member}`)],
        ['--listen-client-urls', client, '--advertise-client-urls', client],
        ['--listen-peer-urls', peer, '--initial-advertise-peer-urls', peer],
        ['--initial-cluster', peers, '--logger', 'zap', '--log-level', 'error'],
      ].flat(),
      { stdio: 'ignore' },
    )
  }

  stop(member: number): void {
    this.#children[member]?.kill('SIGSTOP')
  }

  async kill(member: number): Promise<void> {
    const child = this.#children[member]
    if (child == null || child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
  }

  /** The member that leads. */
  async leader(): Promise<number> {
    for (const [member, url] of this.urls.entries()) {
      const status = await ask(url, 'maintenance/status')
      if (status !== null && status['leader'] === (status['header'] as { member_id: string }).member_id)
        return member
    }
    return 0
  }

  /** Waits until a majority answers. */
  async answers(): Promise<void> {
    while ((await ask(this.#url(0, this.ports), 'kv/range', { key: 'YQ==' })) === null) await realPause(100)
  }
}

async function ask(url: string, path: string, body: object = {}): Promise<Record<string, unknown> | null> {
  try {
    const answer = await fetch(`${url}/v3/${path}`, {
      method: 'POST',
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(1_000),
    })
    return answer.ok ? ((await answer.json()) as Record<string, unknown>) : null
  } catch {
    return null
  }
}
