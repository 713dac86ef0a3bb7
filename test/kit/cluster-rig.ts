/** A cluster of real gateways with a real etcd, behind one address. A supervisor starts what has ended. */

import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { EtcdProcesses, freePorts } from '#test/kit/etcd-processes.ts'
import type { Cleaner } from '#test/kit/gateway-process.ts'
import { type Program, roost, runToEnd } from '#test/kit/program.ts'
import { realPause } from '#test/kit/real-pause.ts'
import { SwitchedAddress } from '#test/kit/switched-address.ts'

/** As `RestartSec` of the unit, only shorter. */
const RESTARTED_AFTER_MS = 500
export const OWNER = 'owner@localhost'

interface Member {
  readonly env: Readonly<Record<string, string>>
  readonly folder: string
  program: Program | null
  isWanted: boolean
}

export class ClusterRig {
  readonly folder: string
  readonly etcd: EtcdProcesses
  readonly address: SwitchedAddress
  key = ''
  token = ''
  readonly #members: readonly Member[]

  private constructor(parts: Pick<ClusterRig, 'folder' | 'etcd' | 'address'>, members: readonly Member[]) {
    this.folder = parts.folder
    this.etcd = parts.etcd
    this.address = parts.address
    this.#members = members
  }

  /** Founds a cluster of so many gateways, and waits until one leads. */
  static async start(
    t: Cleaner,
    count: number,
    env: Readonly<Record<string, string>> = {},
  ): Promise<ClusterRig> {
    const folder = mkdtempSync(join(tmpdir(), 'roost-cluster-'))
    t.after(() => rmSync(folder, { recursive: true, force: true }))
    const etcd = await EtcdProcesses.start(t, folder, 3)
    const ports = await freePorts(2 * count)
    const members = Array.from({ length: count }, (_, index): Member => {
      const home = join(folder, `gw${index}`)
      mkdirSync(home)
      return {
        folder: home,
        program: null,
        isWanted: true,
        env: {
          ROOST_DATA_DIR: join(home, 'data'),
          ROOST_HTTP__HOST: '127.0.0.1',
          ROOST_HTTP__PORT: String(ports[index]),
          ROOST_HTTP__TLS_PORT: String(ports[count + index]),
          ROOST_DISCOVERY__ENABLED: 'false',
          ROOST_PLANS__PRO__API_CALLS_PER_MINUTE: '-1',
          ROOST_CLUSTER__ETCD: JSON.stringify(etcd.ports.map(port => `http://127.0.0.1:${port}`)),
          ROOST_CLUSTER__NAME: `gw${index}`,
          ROOST_CLUSTER__ADVERTISE_URL: `https://127.0.0.1:${ports[count + index]}`,
          ...env,
        },
      }
    })
    const address = await SwitchedAddress.open(ports.slice(0, count))
    const rig = new ClusterRig({ folder, etcd, address }, members)
    t.after(async () => {
      await address.close()
      await Promise.all(members.keys().map(index => rig.kill(index)))
    })
    await rig.#found()
    return rig
  }

  get url(): string {
    return `http://127.0.0.1:${this.address.port}`
  }

  get socketUrl(): string {
    return `ws://127.0.0.1:${this.address.port}/device/v1/socket`
  }

  /** The own plain address of a gateway. */
  urlOf(index: number): string {
    return `http://127.0.0.1:${this.#member(index).env['ROOST_HTTP__PORT']}`
  }

  advertised(index: number): string {
    return this.#member(index).env['ROOST_CLUSTER__ADVERTISE_URL'] ?? ''
  }

  get size(): number {
    return this.#members.length
  }

  /** Starts a gateway, and again whenever it ends, until `kill`. */
  run(index: number): void {
    const member = this.#member(index)
    member.isWanted = true
    if (member.program !== null) return
    const program = roost(['serve'], { cwd: member.folder, env: member.env })
    member.program = program
    void program.ended.then(() => {
      member.program = null
      if (member.isWanted) void realPause(RESTARTED_AFTER_MS).then(() => member.isWanted && this.run(index))
    })
  }

  /** Ends a gateway. It stays down until `run`. */
  async kill(index: number, signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    const member = this.#member(index)
    member.isWanted = false
    member.program?.child.kill('SIGCONT')
    member.program?.child.kill(signal)
    await member.program?.ended
  }

  signal(index: number, signal: NodeJS.Signals): void {
    this.#member(index).program?.child.kill(signal)
  }

  /** What a gateway has printed since its last start. */
  output(index: number): string {
    return this.#member(index).program?.stderr.text ?? ''
  }

  /** Runs a command with --json on one of the gateways. */
  async cli(index: number, ...args: string[]): Promise<Record<string, unknown>> {
    const { folder, env } = this.#member(index)
    const { code, stdout, stderr } = await runToEnd([...args, '--json'], { cwd: folder, env })
    if (code !== 0) throw new Error(`roost ${args.join(' ')} ended with ${code}: ${stderr} ${stdout}`)
    return JSON.parse(stdout) as Record<string, unknown>
  }

  /** Waits until the probe finds something. */
  async until<T>(probe: () => T | false | null | Promise<T | false | null>): Promise<T> {
    for (;;) {
      const found = await probe()
      if (found !== false && found !== null) return found
      await realPause(50)
    }
  }

  async state(
    index: number,
  ): Promise<{ role: string; log: { head: number; applied: number }; id: string } | null> {
    const port = this.#member(index).env['ROOST_HTTP__PORT']
    try {
      const answer = await fetch(`http://127.0.0.1:${port}/cluster`, { signal: AbortSignal.timeout(2_000) })
      return (await answer.json()) as never
    } catch {
      return null
    }
  }

  async join(index: number): Promise<void> {
    const { code } = await this.cli(this.address.leader ?? 0, 'cluster', 'invite')
    await this.cli(index, 'cluster', 'join', String(code))
    await this.until(async () => (await this.state(index))?.role === 'follower')
  }

  /** Calls the API at the one address. */
  async api(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
    const response = await fetch(`${this.url}/api/v1${path}`, {
      method,
      headers: { 'X-API-Key': this.key, 'Content-Type': 'application/json', Connection: 'close', ...headers },
      signal: AbortSignal.timeout(15_000),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const answer = (await response.json()) as {
      data: unknown
      page?: { nextCursor: string | null }
      error?: unknown
    }
    return { status: response.status, ...answer }
  }

  asOwner(method: string, path: string, body?: unknown) {
    return this.api(method, path, body, { Authorization: `Bearer ${this.token}`, 'X-API-Key': '' })
  }

  async #found(): Promise<void> {
    await this.cli(0, 'certificate', 'create')
    await this.cli(0, 'cluster', 'create')
    this.run(0)
    await this.until(() => this.address.leader !== null)
    this.key = String((await this.cli(0, 'key', 'create', '--account', OWNER))['key'])
    this.token = String((await this.cli(0, 'token', '--account', OWNER))['token'])
    for (let index = 1; index < this.size; index++) {
      this.run(index)
      await this.until(async () => (await this.state(index))?.role === 'waiting')
      await this.join(index)
    }
  }

  #member(index: number): Member {
    const member = this.#members[index]
    if (member === undefined) throw new RangeError(`no gateway ${index}`)
    return member
  }
}
