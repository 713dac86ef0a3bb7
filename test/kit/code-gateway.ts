/** Calls about codes with the keys of an account, and a phone that sends what it is offered. */
import { EventEmitter, once } from 'node:events'
import type { TestContext } from 'node:test'
import WebSocket from 'ws'
import { DEVICE_SUBPROTOCOL, type GatewayFrame, type PhoneFrame } from '#contracts/device-frames.ts'
import type { CallOptions, SharedGateway, TestAccount } from '#test/kit/gateway.ts'
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

export interface CodeCalls {
  readonly account: TestAccount
  /** The gateway's log, one JSON entry per line. */
  readonly output: () => string
  /** With the sandbox key, unless the options name another. */
  request(method: string, path: string, options?: CallOptions): Promise<Reply>
  /** Pairs and connects a phone that delivers every message. */
  connectPhone(t: TestContext): Promise<TextingPhone>
  setPlan(plan: string): Promise<unknown>
}

export interface TextingPhone {
  /** Resolves to the next text that the phone sent, when the gateway has acknowledged its delivery report. */
  nextText(): Promise<string>
}

export function codeCalls(gateway: SharedGateway, account: TestAccount): CodeCalls {
  return {
    account,
    output: () => gateway.log.map(entry => JSON.stringify(entry)).join('\n'),
    async request(method, path, options) {
      const { status, headers, json } = await gateway.call(method, `/api/v1${path}`, {
        key: account.testKey,
        ...options,
      })
      return { ...(json as unknown as Pick<Reply, 'success' | 'data' | 'error'>), status, headers }
    },
    async connectPhone(t) {
      const { code } = await gateway.ask('device.create-pairing', {
        accountId: account.accountId,
        name: null,
      })
      const pairing = { code, name: 'Phone', platform: null, appVersion: null }
      const { token } = await gateway.ask('device.pair', pairing)
      return connectPhone(t, gateway.url, token)
    },
    setPlan: plan => gateway.ask('account.set-plan', { email: account.email, plan }),
  }
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
