/** A real gateway with keys of its owner, and a phone on a real socket that sends every offered message. */

import { EventEmitter, once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import WebSocket from 'ws'
import { connectControl } from '#app/control/control-client.ts'
import { runGateway } from '#app/threads/gateway.ts'
import { CONFIG_DEFAULTS, PLANS_BUILT_IN } from '#contracts/config.ts'
import { DEVICE_SUBPROTOCOL, type GatewayFrame, type PhoneFrame } from '#contracts/device-frames.ts'
import { OWNER_EMAIL } from '#domain/account/first-start.ts'
import { dataDirectory } from '#storage/data-directory.ts'
import { bundledThreads } from '#test/kit/bundle.ts'
import { HELLO } from '#test/kit/hello.ts'

export interface Reply {
  readonly status: number
  readonly headers: Headers
  readonly success: boolean
  readonly data: Readonly<Record<string, unknown>>
  readonly error: { readonly code: string; readonly details?: RefusalDetails }
}

interface RefusalDetails {
  readonly issues?: readonly { readonly path: string; readonly message: string }[]
  readonly limit?: number
  readonly used?: number
  readonly resetAt?: string
}

export interface CodeGateway {
  readonly url: string
  readonly liveKey: string
  readonly testKey: string
  /** The gateway's log, one JSON entry per line. */
  readonly output: () => string
  request(method: string, path: string, options?: RequestOptions): Promise<Reply>
  /** Pairs and connects a phone that delivers every message. */
  connectPhone(t: TestContext): Promise<TextingPhone>
  setPlan(plan: string): Promise<void>
  stop(): Promise<number>
}

export interface TextingPhone {
  /** Resolves to the next text that the phone sent, when the gateway has acknowledged its delivery report. */
  nextText(): Promise<string>
}

export interface RequestOptions {
  /** Default: the sandbox key. */
  readonly key?: string
  readonly json?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

export function makeDirectory(): string {
  return mkdtempSync(join(tmpdir(), 'roost-codes-'))
}

export function removeDirectory(path: string): void {
  rmSync(path, { recursive: true, force: true })
}

export async function startCodeGateway(dataDir: string): Promise<CodeGateway> {
  const abort = new AbortController()
  const output: string[] = []
  const ready = Promise.withResolvers<string>()
  const exit = runGateway({
    entries: bundledThreads(),
    config: {
      ...CONFIG_DEFAULTS,
      data_dir: dataDir,
      http: { ...CONFIG_DEFAULTS.http, host: '127.0.0.1', port: 0, listeners: 2 },
      plans: {
        ...CONFIG_DEFAULTS.plans,
        pro: { ...PLANS_BUILT_IN.pro, api_calls_per_minute: -1 },
        small: { ...PLANS_BUILT_IN.free, api_calls_per_minute: -1, two_factor_per_day: 10 },
      },
    },
    log: {
      entry: entry => output.push(JSON.stringify(entry)),
      write: (...entry) => output.push(JSON.stringify(entry)),
    },
    stop: abort.signal,
    say: () => {},
    onReady: url => ready.resolve(url),
  })
  void exit.then(code => ready.reject(new Error(`the gateway ended with ${code}: ${output.join('\n')}`)))
  const url = await ready.promise
  const control = await connectControl(dataDirectory(dataDir).controlSocket)
  if (control === null) throw new Error('the gateway has no control socket')
  const { accountId } = await control.ask('account.find', { email: OWNER_EMAIL })
  const keyOf = async (test: boolean) =>
    (await control.ask('key.create', { email: OWNER_EMAIL, name: 'key', test })).key
  const [liveKey, testKey] = [await keyOf(false), await keyOf(true)]
  return {
    url,
    liveKey,
    testKey,
    output: () => output.join('\n'),
    request: (method, path, options = {}) =>
      request(`${url}/api/v1${path}`, { method, key: testKey, ...options }),
    async connectPhone(t) {
      const { code } = await control.ask('device.create-pairing', { accountId, name: null })
      const json = { code, name: 'Phone' }
      const { data } = await request(`${url}/device/v1/pair`, { method: 'POST', json })
      return connectPhone(t, url, String(data['token']))
    },
    async setPlan(plan) {
      await control.ask('account.set-plan', { email: OWNER_EMAIL, plan })
    },
    stop() {
      control.close()
      abort.abort()
      return exit
    },
  }
}

async function request(
  url: string,
  { method, key = '', json, headers }: RequestOptions & { readonly method: string },
): Promise<Reply> {
  const response = await fetch(url, {
    method,
    headers: { 'X-API-Key': key, 'Content-Type': 'application/json', ...headers },
    body: json === undefined ? null : JSON.stringify(json),
  })
  const body = (await response.json()) as Pick<Reply, 'success' | 'data' | 'error'>
  return { ...body, status: response.status, headers: response.headers }
}

async function connectPhone(t: TestContext, url: string, token: string): Promise<TextingPhone> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/device/v1/socket`, DEVICE_SUBPROTOCOL, {
    headers: { Authorization: `Bearer ${token}` },
  })
  t.after(() => socket.terminate())
  const offered = new Map<string, string>()
  const delivered: string[] = []
  const news = new EventEmitter()
  const sendFrame = (frame: PhoneFrame) => socket.send(JSON.stringify(frame))
  socket.on('message', data => {
    const frame = JSON.parse(String(data)) as GatewayFrame
    if (frame.type === 'welcome') sendFrame({ type: 'sync', messages: [], more: false })
    else if (frame.type === 'offer') {
      const { messageId, attempt } = frame
      offered.set(messageId, frame.message)
      sendFrame({ type: 'begin', messageId, attempt })
    } else if (frame.type === 'go') {
      const { messageId, attempt } = frame
      sendFrame({
        type: 'report',
        messageId,
        attempt,
        state: 'delivered',
        code: null,
        detail: null,
        at: null,
      })
    } else if (frame.type === 'ack' && 'messageId' in frame) {
      delivered.push(offered.get(frame.messageId) ?? '')
    }
    news.emit(frame.type)
  })
  const synced = once(news, 'synced')
  await once(socket, 'open')
  sendFrame(HELLO)
  await synced
  return {
    async nextText() {
      while (delivered.length === 0) await once(news, 'ack')
      return delivered.shift() ?? ''
    },
  }
}
