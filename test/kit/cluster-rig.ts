/** A cluster of real gateways with a real etcd, behind one address. A supervisor starts what has ended. */

import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { EtcdProcesses } from '#test/kit/etcd-processes.ts'
import { freePorts } from '#test/kit/free-ports.ts'
import type { Cleaner } from '#test/kit/gateway-process.ts'
import { type Machine, onLoopback } from '#test/kit/machine.ts'
import { type Program, roost, runToEnd } from '#test/kit/program.ts'
import { realPause } from '#test/kit/real-pause.ts'
import { SwitchedAddress } from '#test/kit/switched-address.ts'
import { temporaryDirectory } from '#test/kit/temporary-directory.ts'

/** As `RestartSec` of the unit, only shorter. */
const RESTARTED_AFTER_MS = 500
const ETCD_MEMBERS = [0, 1, 2]
/** A call of a client. A machine that is cut off answers nothing. */
const CALL_MS_MAX = 5_000
export const OWNER = 'owner@localhost'

interface Member {
  readonly env: Readonly<Record<string, string>>
  readonly folder: string
  readonly under: readonly string[]
  readonly url: string
  program: Program | null
  isWanted: boolean
}

/** The one address of a cluster. */
export interface OneAddress {
  readonly host: string
  readonly port: number
  /** Index of the gateway that said last that it leads; null: none does. */
  readonly leader: number | null
  /** Called when another gateway leads. */
  onChange?: () => void
  close(): Promise<void>
}

export interface RigSettings {
  readonly env?: Readonly<Record<string, string>>
  /** One for each gateway and each member of etcd. Default: all are on this one. */
  readonly machines?: readonly Machine[]
  /** `urls`: the addresses of the gateways, which have one port. */
  readonly openAddress?: (urls: readonly string[]) => Promise<OneAddress>
}

export class ClusterRig {
  readonly folder: string
  readonly etcd: EtcdProcesses
  readonly address: OneAddress
  key = ''
  token = ''
  /** What all gateways printed; the reader empties it. */
  readonly said: string[] = []
  readonly #members: readonly Member[]

  private constructor(parts: Pick<ClusterRig, 'folder' | 'etcd' | 'address'>, members: readonly Member[]) {
    this.folder = parts.folder
    this.etcd = parts.etcd
    this.address = parts.address
    this.#members = members
  }

  /** Founds a cluster of so many gateways, and waits until one leads. */
  static async start(t: Cleaner, count: number, settings: RigSettings = {}): Promise<ClusterRig> {
    const folder = temporaryDirectory(t)
    const { env = {}, machines, openAddress = SwitchedAddress.open } = settings
    const etcd = await EtcdProcesses.start(t, machines ?? ETCD_MEMBERS.map(() => onLoopback(folder)))
    // Machines with addresses of their own can have the same ports.
    const ports = await freePorts(machines === undefined ? 2 * count : 2)
    const members = Array.from({ length: count }, (_, index): Member => {
      const { folder: parent, host, under } = machines?.[index] ?? onLoopback(folder)
      const [port, tlsPort] = machines === undefined ? [ports[index], ports[count + index]] : ports
      const home = join(parent, `gw${index}`)
      mkdirSync(home)
      return {
        folder: home,
        under,
        url: `http://${host}:${port}`,
        program: null,
        isWanted: true,
        env: {
          ROOST_DATA_DIR: join(home, 'data'),
          ROOST_HTTP__HOST: machines === undefined ? host : '0.0.0.0',
          ROOST_HTTP__PORT: String(port),
          ROOST_HTTP__TLS_PORT: String(tlsPort),
          ROOST_DISCOVERY__ENABLED: 'false',
          ROOST_PLANS__PRO__API_CALLS_PER_MINUTE: '-1',
          ROOST_CLUSTER__ETCD: JSON.stringify(etcd.urls),
          ROOST_CLUSTER__NAME: `gw${index}`,
          ROOST_CLUSTER__ADVERTISE_URL: `https://${host}:${tlsPort}`,
          ...env,
        },
      }
    })
    const address = await openAddress(members.map(({ url }) => url))
    const rig = new ClusterRig({ folder, etcd, address }, members)
    t.after(async () => {
      await address.close()
      await Promise.all(members.keys().map(index => rig.kill(index)))
    })
    await rig.#found()
    return rig
  }

  get url(): string {
    return `http://${this.address.host}:${this.address.port}`
  }

  get socketUrl(): string {
    return `${this.url.replace('http', 'ws')}/device/v1/socket`
  }

  /** The own plain address of a gateway. */
  urlOf(index: number): string {
    return this.#member(index).url
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
    const program = roost(['serve'], { cwd: member.folder, env: member.env, under: member.under })
    member.program = program
    program.child.stderr?.on('data', text => this.said.push(`gw${index} ${text}`))
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
    const { folder, env, under } = this.#member(index)
    const { code, stdout, stderr } = await runToEnd([...args, '--json'], { cwd: folder, env, under })
    if (code !== 0) throw new Error(`roost ${args.join(' ')} ended with ${code}: ${stderr} ${stdout}`)
    return JSON.parse(stdout) as Record<string, unknown>
  }

  /** Null: the command failed. On a busy machine a gateway may lose the lead at any time. */
  #try(index: number, ...args: string[]): Promise<Record<string, unknown> | null> {
    return this.cli(index, ...args).catch(error => {
      this.said.push(`${error}\n`)
      return null
    })
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
    try {
      const answer = await fetch(`${this.urlOf(index)}/cluster`, { signal: AbortSignal.timeout(2_000) })
      return (await answer.json()) as never
    } catch {
      return null
    }
  }

  async join(index: number): Promise<void> {
    const follows = async () => (await this.state(index))?.role === 'follower'
    await this.until(async () => {
      if (await follows()) return true
      const invited = await this.#try(this.address.leader ?? 0, 'cluster', 'invite')
      return invited && this.#try(index, 'cluster', 'join', String(invited['code']))
    })
    await this.until(follows)
  }

  /** Calls the API at the one address. */
  async api(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
    const response = await fetch(`${this.url}/api/v1${path}`, {
      method,
      headers: { 'X-API-Key': this.key, 'Content-Type': 'application/json', Connection: 'close', ...headers },
      signal: AbortSignal.timeout(CALL_MS_MAX),
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
    const owner = ['--account', OWNER]
    this.key = String((await this.until(() => this.#try(0, 'key', 'create', ...owner)))['key'])
    this.token = String((await this.until(() => this.#try(0, 'token', ...owner)))['token'])
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
