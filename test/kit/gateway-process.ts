/** A gateway in a process of its own, which tests call, kill and start again on one data directory. */
import { once } from 'node:events'
import { mkdtempSync, rmSync, watch } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as v from 'valibot'
import { issueAccountToken } from '#app/auth/account-token.ts'
import { connectControl } from '#app/control/control-client.ts'
import type { Writer } from '#contracts/commands.ts'
import { AcceptedMessageResource, MessageResource } from '#contracts/message.ts'
import { dataDirectory } from '#storage/data-directory.ts'
import { loadSecret } from '#storage/secret-file.ts'
import { EtcdProcesses } from '#test/kit/etcd-processes.ts'
import { freePort } from '#test/kit/free-ports.ts'
import { onLoopback } from '#test/kit/machine.ts'
import { type Program, type ProgramOptions, type ProgramResult, roost, runToEnd } from '#test/kit/program.ts'

/** The part of a test that runs cleanups. */
export interface Cleaner {
  after(done: () => unknown): void
}

export interface GatewaySettings {
  /** Environment variables. They override those that every such gateway gets. */
  readonly env?: Readonly<Record<string, string>>
  /** A command that runs the gateway and its command line, such as `nsenter …`. */
  readonly under?: readonly string[]
  /** The data directory, as the gateway sees it and as this process does. Default: a new directory. */
  readonly dataDir?: { readonly path: string; readonly here: string }
  /** Starts another program in place of `roost serve`. */
  readonly program?: (options: ProgramOptions) => Program
}

export interface Reply {
  readonly status: number
  readonly headers: Headers
  readonly data: unknown
  readonly page: { readonly nextCursor: string | null } | undefined
  readonly error: { readonly code: string; readonly details?: Record<string, unknown> } | undefined
}

/** Whether each gateway leads a cluster of its own. */
export const IN_CLUSTER = process.env['TEST_CLUSTER'] === '1'
const OWNER = 'owner@localhost'
const LISTENING = /"event":"listening"/
const Pairing = v.object({ deviceId: v.string(), token: v.string(), socketUrl: v.string() })
export type Pairing = v.InferOutput<typeof Pairing>

export class GatewayProcess {
  /** The path of the data directory, as this process sees it. */
  readonly dataDir: string
  readonly folder: string
  key = ''
  program: Program
  #url = ''
  #readyMs = 0
  #token: Promise<string> | undefined
  readonly #settings: GatewaySettings
  readonly #dataPath: string

  private constructor(folder: string, settings: GatewaySettings, port: number) {
    this.folder = folder
    this.#settings = settings
    this.#dataPath = dataPathOf(settings, folder)
    this.dataDir = settings.dataDir?.here ?? this.#dataPath
    this.program = this.#spawn(port)
  }

  /** Starts a gateway on a free port, with a live key of its owner. */
  static async start(t: Cleaner, settings: GatewaySettings = {}): Promise<GatewayProcess> {
    const gateway = await GatewayProcess.startBare(t, settings)
    gateway.key = await gateway.#newKey()
    return gateway
  }

  /** Starts a gateway on a free port, without a key. */
  static async startBare(t: Cleaner, settings: GatewaySettings = {}): Promise<GatewayProcess> {
    const folder = mkdtempSync(join(tmpdir(), 'roost-e2e-'))
    const gateway = new GatewayProcess(folder, await inCluster(t, folder, settings), await freePort())
    t.after(async () => {
      await gateway.kill()
      rmSync(folder, { recursive: true, force: true })
    })
    await gateway.#listening(performance.now())
    return gateway
  }

  get url(): string {
    return this.#url
  }

  get socketUrl(): string {
    return `${this.#url.replace('http', 'ws')}/device/v1/socket`
  }

  /** Milliseconds from the start of the process until it listens. */
  get readyMs(): number {
    return this.#readyMs
  }

  /** Ends the process with a signal; returns the exit code, or the name of the signal that ended it. */
  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<number | string> {
    this.program.child.kill(signal)
    return this.program.ended
  }

  /** Ends the process with SIGTERM; returns the exit code. */
  stop(): Promise<number | string> {
    return this.kill('SIGTERM')
  }

  /** Restarts the gateway on the same data and the same port. */
  async restart(): Promise<void> {
    const startedAt = performance.now()
    this.program = this.#spawn(Number(new URL(this.#url).port))
    await this.#listening(startedAt)
  }

  /** Runs a command with --json on the same data directory; returns its output. */
  async cli(...args: string[]): Promise<Record<string, unknown>> {
    const { code, stdout, stderr } = await this.run(...args, '--json')
    if (code !== 0) throw new Error(`roost ${args.join(' ')} ended with ${code}: ${stderr}`)
    return JSON.parse(stdout) as Record<string, unknown>
  }

  run(...args: string[]): Promise<ProgramResult> {
    return runToEnd([...args, '--data', this.#dataPath], this.#options(0))
  }

  /** Calls the API. */
  async api(method: string, path: string, more: { body?: unknown; headers?: object } = {}): Promise<Reply> {
    const { body, headers = {} } = more
    const response = await fetch(`${this.#url}/api/v1${path}`, {
      method,
      headers: { 'X-API-Key': this.key, 'Content-Type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const { data, page, error } = (await response.json()) as Pick<Reply, 'data' | 'page' | 'error'>
    return { status: response.status, headers: response.headers, data, page, error }
  }

  /** Sends a text to the API; returns its id. */
  async send(message: string, more: Record<string, unknown> = {}): Promise<string> {
    const body = { phoneNumber: '+14155550123', message, ...more }
    const { status, data, error } = await this.api('POST', '/sms/send', { body })
    if (status !== 200) throw new Error(`not accepted: ${status} ${JSON.stringify(error)}`)
    return v.parse(AcceptedMessageResource, data).messageId
  }

  async message(messageId: string): Promise<MessageResource> {
    const { status, data, error } = await this.api('GET', `/sms/${messageId}`)
    if (status !== 200) throw new Error(`${messageId}: ${status} ${JSON.stringify(error)}`)
    return v.parse(MessageResource, data)
  }

  /** All messages, read page by page. */
  async messages(query = ''): Promise<MessageResource[]> {
    const all: MessageResource[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const from: string = cursor === '' ? '' : `&cursor=${cursor}`
      const { data, page } = await this.api('GET', `/sms?limit=200${query}${from}`)
      all.push(...v.parse(v.array(MessageResource), data))
      cursor = page?.nextCursor ?? null
    }
    return all
  }

  /** Waits until the message has this status. */
  async reached(messageId: string, status: MessageResource['status']): Promise<MessageResource> {
    return this.until(async () => {
      const message = await this.message(messageId)
      return message.status === status && message
    })
  }

  /**
   * Waits until the probe finds something. The probe runs now and after each write to the data directory. A
   * commit ends with a write to the commit mark, so no change is missed.
   */
  async until<T>(probe: () => Promise<T | false>): Promise<T> {
    const watcher = watch(this.dataDir)
    try {
      for (;;) {
        const written = once(watcher, 'change')
        const found = await probe()
        if (found !== false) return found
        await written
      }
    } finally {
      watcher.close()
    }
  }

  /** Calls the API with a token of the owner. */
  async asOwner(method: string, path: string, body?: unknown): Promise<Reply> {
    this.#token ??= this.#newToken()
    const headers = { Authorization: `Bearer ${await this.#token}`, 'X-API-Key': '' }
    return this.api(method, path, { body, headers })
  }

  /** Pairs a phone. */
  async pair(name: string): Promise<Pairing> {
    const { data: pairing } = await this.asOwner('POST', '/devices/pairings', {})
    const response = await this.pairWith((pairing as { code: string }).code, name)
    const { data } = (await response.json()) as { data: unknown }
    return v.parse(Pairing, data)
  }

  pairWith(code: string, name: string): Promise<Response> {
    return fetch(`${this.#url}/device/v1/pair`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ code, name, platform: 'test', appVersion: '1' }),
    })
  }

  async #newKey(): Promise<string> {
    if (!this.#isNear()) return String((await this.cli('key', 'create', '--account', OWNER))['key'])
    const { key } = await this.#ask(writer =>
      writer.ask('key.create', { email: OWNER, name: 'test', test: false }),
    )
    return key
  }

  async #newToken(): Promise<string> {
    if (!this.#isNear()) return String((await this.cli('token', '--account', OWNER))['token'])
    const found = await this.#ask(writer => writer.ask('account.find', { email: OWNER }))
    const { accountId, userId, tokenVersion: version } = found
    const key = loadSecret(dataDirectory(this.dataDir).jwtKey)
    return (await issueAccountToken({ accountId, userId, version, ttlS: 36_000, key, nowMs: Date.now() }))
      .token
  }

  /** Whether this process has the same clock and sees the same files as the gateway. */
  #isNear(): boolean {
    const { env, under, dataDir, program } = this.#settings
    return [under, dataDir, program, env?.['LD_PRELOAD']].every(one => one === undefined)
  }

  /** Asks on the control socket, as the commands do. A process for each would cost as much as many tests. */
  async #ask<T>(use: (writer: Writer) => Promise<T>): Promise<T> {
    const control = await connectControl(dataDirectory(this.dataDir).controlSocket)
    if (control === null) throw new Error('the gateway does not run')
    try {
      return await use(control)
    } finally {
      control.close()
    }
  }

  #options(port: number): ProgramOptions {
    return optionsOf(this.#settings, this.folder, port)
  }

  #spawn(port: number): Program {
    const options = this.#options(port)
    return this.#settings.program?.(options) ?? roost(['serve'], options)
  }

  async #listening(startedAt: number): Promise<void> {
    const line = await this.program.stderr.until(LISTENING)
    this.#readyMs = performance.now() - startedAt
    this.#url = (JSON.parse(line) as { url: string }).url
  }
}

function dataPathOf({ dataDir }: GatewaySettings, folder: string): string {
  return dataDir?.path ?? join(folder, 'data')
}

function optionsOf(settings: GatewaySettings, folder: string, port: number): ProgramOptions {
  const { env = {}, under = [] } = settings
  return {
    cwd: folder,
    under,
    env: {
      ROOST_HTTP__HOST: '127.0.0.1',
      ROOST_PLANS__PRO__API_CALLS_PER_MINUTE: '-1',
      ...env,
      ROOST_DATA_DIR: dataPathOf(settings, folder),
      ROOST_HTTP__PORT: String(port),
    },
  }
}

/** With `TEST_CLUSTER=1`, founds a cluster for this gateway alone, with an etcd of its own. */
async function inCluster(t: Cleaner, folder: string, settings: GatewaySettings): Promise<GatewaySettings> {
  if (!IN_CLUSTER) return settings
  const etcd = await EtcdProcesses.start(t, [onLoopback(folder)])
  const env = {
    ...settings.env,
    ROOST_CLUSTER__ETCD: JSON.stringify(etcd.urls),
    ROOST_CLUSTER__NAME: 'one',
    ROOST_CLUSTER__ADVERTISE_URL: 'https://one.test',
  }
  const clustered = { ...settings, env }
  const { code, stderr } = await runToEnd(['cluster', 'create'], optionsOf(clustered, folder, 0))
  if (code !== 0) throw new Error(`no cluster was founded: ${stderr}`)
  return clustered
}
