/** Members of etcd as processes on loopback, which a test can kill, stop and start again. */

import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { join } from 'node:path'
import type { Cleaner } from '#test/kit/gateway-process.ts'
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
  readonly #folder: string
  readonly #children: (ChildProcess | null)[]

  private constructor(folder: string, ports: readonly number[], peers: readonly number[]) {
    this.#folder = folder
    this.ports = ports
    this.#peers = peers
    this.#children = ports.map(() => null)
  }

  static async start(t: Cleaner, folder: string, count: number): Promise<EtcdProcesses> {
    const ports = await freePorts(2 * count)
    const etcd = new EtcdProcesses(folder, ports.slice(0, count), ports.slice(count))
    t.after(() => Promise.all(etcd.ports.map((_, member) => etcd.kill(member))))
    for (const member of etcd.ports.keys()) etcd.run(member)
    await etcd.answers()
    return etcd
  }

  /** Starts a member, or lets it go on if it was stopped. */
  run(member: number): void {
    const running = this.#children[member]
    if (running != null && running.exitCode === null && running.signalCode === null) {
      running.kill('SIGCONT')
      return
    }
    const url = (port: number | undefined) => `http://127.0.0.1:${port}`
    const peers = this.#peers.map((port, index) => `m${index}=${url(port)}`).join(',')
    const client = url(this.ports[member])
    const peer = url(this.#peers[member])
    this.#children[member] = spawn(
      'etcd',
      [
        ['--name', `m${member}`, '--data-dir', join(this.#folder, `m${member}`)],
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
    for (const [member, port] of this.ports.entries()) {
      const status = await ask(port, 'maintenance/status')
      if (status !== null && status['leader'] === (status['header'] as { member_id: string }).member_id)
        return member
    }
    return 0
  }

  /** Waits until a majority answers. */
  async answers(): Promise<void> {
    while ((await ask(this.ports[0] ?? 0, 'kv/range', { key: 'YQ==' })) === null) await realPause(100)
  }
}

async function ask(port: number, path: string, body: object = {}): Promise<Record<string, unknown> | null> {
  try {
    const answer = await fetch(`http://127.0.0.1:${port}/v3/${path}`, {
      method: 'POST',
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(1_000),
    })
    return answer.ok ? ((await answer.json()) as Record<string, unknown>) : null
  } catch {
    return null
  }
}

/** Free ports of this machine. Another program may take one before it is used. */
export async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'))
  await Promise.all(servers.map(server => once(server, 'listening')))
  const ports = servers.map(server => (server.address() as { port: number }).port)
  await Promise.all(servers.map(server => once(server.close(), 'close')))
  return ports
}
