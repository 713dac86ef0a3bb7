/**
 * A real gateway for a test, with threads from the bundle, a database in its own directory and a free port.
 * Nothing in it is fake. The test supplies phones and receivers.
 */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { type Dispatcher, request } from 'undici'
import { issueAccountToken } from '#app/auth/account-token.ts'
import { runGateway } from '#app/threads/gateway.ts'
import type { GatewayOptions } from '#app/threads/gateway-options.ts'
import type { Writer } from '#contracts/commands.ts'
import { CONFIG_DEFAULTS, type Config } from '#contracts/config.ts'
import type { LogEntry } from '#contracts/thread-frames.ts'
import { OWNER_EMAIL } from '#domain/account/first-start.ts'
import { firstUserId } from '#domain/account/user.ts'
import { dataDirectory } from '#storage/data-directory.ts'
import { loadSecret } from '#storage/secret-file.ts'
import { bundledThreads } from '#test/kit/bundle.ts'
import { freePort } from '#test/kit/free-ports.ts'
import { openApiChecker } from '#test/kit/openapi-checker.ts'

// As `main.ts` does, before any thread loads the library for HTTP.
process.env['UWS_HTTP_MAX_HEADERS_SIZE'] = '16384'

type Overrides = { readonly [K in keyof Config]?: Config[K] extends object ? Partial<Config[K]> : Config[K] }

export interface GatewayStart {
  /** Replaces values of the default configuration, section by section. */
  readonly config?: Overrides
  /** An existing directory to start on. It is not removed afterwards. */
  readonly dataDir?: string
  readonly entries?: GatewayOptions['entries']
  readonly early?: GatewayOptions['early']
  readonly acceptDataLoss?: boolean
}

export interface TestAccount {
  readonly accountId: string
  readonly email: string
  readonly liveKey: string
  readonly testKey: string
  /** Valid for an hour. */
  readonly token: string
}

export interface CallOptions {
  readonly key?: string
  readonly token?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly json?: unknown
  readonly body?: string | Uint8Array<ArrayBuffer>
}

export interface TestAnswer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** Undefined when the body is not JSON. */
  readonly json: TestJson | undefined
}

/** An answer of the API, as loosely typed as a test wants to read it. */
export interface TestJson {
  readonly success: boolean
  readonly data: Record<string, unknown> & readonly Record<string, unknown>[]
  readonly error: { readonly code: string; readonly message: string; readonly details?: TestDetails }
  readonly page?: { readonly nextCursor: string | null }
}

interface TestDetails {
  readonly issues?: readonly { readonly path: string; readonly message: string }[]
  readonly limit?: number
  readonly used?: number
  readonly resetAt?: string
}

/** What a test does with a gateway that other tests use, too. */
export interface SharedGateway {
  readonly url: string
  readonly dataDir: string
  /** The output for people at the start. */
  readonly printed: readonly string[]
  readonly log: readonly LogEntry[]
  /** Asks the writer directly, without HTTP. */
  readonly ask: Writer['ask']
  /** Sends one request and reads its answer to the end. */
  call(method: string, path: string, options?: CallOptions): Promise<TestAnswer>
  /** Makes an account with this address, with keys and a token. */
  account(email: string, plan?: string): Promise<TestAccount>
  /** Makes an account that no other test has. */
  newAccount(plan?: string): Promise<TestAccount>
  tokenOf(accountId: string, ttlS?: number): Promise<string>
}

/** A gateway that the test started, and has to stop. */
export interface TestGateway extends SharedGateway {
  /** Makes new keys and a token for the owner. */
  owner(): Promise<TestAccount>
  /** Stops the gateway as SIGTERM does; returns the exit code. A second call waits for the same stop. */
  stop(): Promise<number>
}

/** @throws Error with the log when the gateway does not come up */
export async function startGateway(start: GatewayStart = {}): Promise<TestGateway> {
  const dataDir = start.dataDir ?? mkdtempSync(join(tmpdir(), 'roost-test-'))
  const abort = new AbortController()
  const printed: string[] = []
  const log: LogEntry[] = []
  const ready = Promise.withResolvers<{ readonly url: string; readonly writer: Writer }>()
  const exit = runGateway({
    config: await configOf(dataDir, start.config),
    log: {
      entry: entry => log.push(entry),
      write: (level, event, fields) => log.push({ level, event, fields }),
    },
    stop: abort.signal,
    say: text => printed.push(text),
    onReady: (url, writer) => ready.resolve({ url, writer }),
    acceptDataLoss: start.acceptDataLoss ?? false,
    entries: { ...bundledThreads(), ...start.entries },
    early: start.early,
  })
  void exit.then(code => ready.reject(new Error(`the gateway ended with ${code}: ${JSON.stringify(log)}`)))
  const { url, writer } = await ready.promise
  const ask: Writer['ask'] = (name, input) => writer.ask(name, input)
  const tokenOf = async (accountId: string, ttlS = 3600) => {
    const key = loadSecret(dataDirectory(dataDir).jwtKey)
    const userId = firstUserId(accountId)
    return (await issueAccountToken({ accountId, userId, version: 0, ttlS, key, nowMs: Date.now() })).token
  }
  const equip = async (accountId: string, email: string): Promise<TestAccount> => {
    const [live, test, token] = await Promise.all([
      ask('key.create', { email, name: 'live', test: false }),
      ask('key.create', { email, name: 'test', test: true }),
      tokenOf(accountId),
    ])
    return { accountId, email, liveKey: live.key, testKey: test.key, token }
  }
  const account = async (email: string, plan = 'pro') => {
    const { accountId } = await ask('account.create', { email, plan, passwordHash: null })
    return equip(accountId, email)
  }
  let accounts = 0
  return {
    url,
    dataDir,
    printed,
    log,
    ask,
    tokenOf,
    call: (method, path, options = {}) => call(`${url}${path}`, { method, ...options }),
    owner: async () => equip((await ask('account.find', { email: OWNER_EMAIL })).accountId, OWNER_EMAIL),
    account,
    newAccount: plan => account(`account-${++accounts}@example.test`, plan),
    async stop() {
      abort.abort()
      const code = await exit
      if (start.dataDir === undefined) rmSync(dataDir, { recursive: true, force: true })
      return code
    },
  }
}

async function configOf(dataDir: string, overrides: Overrides = {}): Promise<Config> {
  const config: Record<string, unknown> = { ...CONFIG_DEFAULTS, data_dir: dataDir }
  // With HTTPS, 0 means that there is no plain HTTP.
  const port = (overrides.http?.tls_port ?? 0) > 0 ? 0 : await freePort()
  config['http'] = { ...CONFIG_DEFAULTS.http, host: '127.0.0.1', port }
  for (const [name, value] of Object.entries(overrides)) {
    const known = config[name]
    const isSection = typeof known === 'object' && known !== null
    config[name] = isSection ? { ...known, ...(value as object) } : value
  }
  return config as Config
}

/** @throws Error for an answer that the gateway's OpenAPI description does not allow */
async function call(url: string, { method, ...options }: CallOptions & { readonly method: string }) {
  const { key, token, headers, json, body } = options
  const text = json === undefined ? body : JSON.stringify(json)
  let type: string | undefined
  if (json !== undefined) type = 'application/json'
  else if (typeof body === 'string') type = 'text/plain'
  // After 10 s without a request the gateway closes a connection. If this process computed for so long,
  // undici learns of it in this turn, and does not send the request there.
  await setImmediate()
  // Undici's own call takes a third of the time of `fetch`, and tests make thousands.
  const response = await request(url, {
    method: method as Dispatcher.HttpMethod,
    headers: lowerCased({
      ...(key !== undefined && { 'X-API-Key': key }),
      ...(token !== undefined && { Authorization: `Bearer ${token}` }),
      ...(type !== undefined && { 'Content-Type': type }),
      ...headers,
    }),
    body: text ?? null,
  })
  return readAnswer(response, { method, path: new URL(url).pathname })
}

function lowerCased(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}

async function readAnswer(
  { statusCode: status, headers: lines, body }: Dispatcher.ResponseData,
  asked: { readonly method: string; readonly path: string },
): Promise<TestAnswer> {
  const headers = new Headers(
    Object.entries(lines).flatMap(([name, value]) =>
      [value ?? []].flat().map((one): [string, string] => [name, one]),
    ),
  )
  const text = await body.text()
  const checker = await openApiChecker()
  checker.check({ ...asked, status, headers, text })
  return { status, headers, text, json: jsonOf(headers, text) }
}

function jsonOf(headers: Headers, text: string): TestJson | undefined {
  const type = headers.get('content-type') ?? ''
  if (text === '' || !type.startsWith('application/json')) return undefined
  return JSON.parse(text) as TestJson
}
