/** The SMSGate app in its cloud mode, as the gateway sees it: real HTTP and a real event stream. */
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { text } from 'node:stream/consumers'

/** An answer of the gateway to the app; `T` is the shape of its JSON body, which nothing checks. */
export interface AppAnswer<T = unknown> {
  readonly status: number
  readonly type: string
  readonly json: T
}

/** The answer to a registration; a refusal has only `message`. */
export interface AppRegistration {
  readonly id: string
  readonly token: string
  readonly login: string
  readonly message?: string
}

export interface AppWebhook {
  readonly id: string
  readonly event: string
  readonly url: string
}

/** The settings that tests read. */
export interface AppSettings {
  readonly gateway: { readonly private_token: string; readonly notification_channel: string }
  readonly webhooks: { readonly signing_key: string }
  readonly ping: { readonly interval_seconds: number }
}

export interface AppCall {
  /** The whole value of `Authorization`; left out: the token of the app, if it has one. */
  readonly authorization?: string
  readonly json?: unknown
  readonly body?: string
  readonly headers?: Readonly<Record<string, string>>
}

interface AppRequest {
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | undefined
}

export interface EventStream {
  readonly type: string
  /** Waits for this text in the stream. Returns and removes everything up to its end. */
  until(text: string): Promise<string>
  close(): void
}

export class CloudApp {
  token = ''
  deviceId = ''
  readonly base: string
  readonly version: string
  readonly #ca: string | undefined

  /** `base`: the API URL that the user typed. `ca`: the only authority that the phone trusts, PEM. */
  constructor(
    base: string,
    { version = '1.68.0', ca }: { readonly version?: string; readonly ca?: string } = {},
  ) {
    this.base = base
    this.version = version
    this.#ca = ca
  }

  /** Sends a request on its own connection. Resolves when the head of the answer has come. */
  async #ask(url: string, { method, headers, body }: AppRequest): Promise<IncomingMessage> {
    const options = { method, headers, agent: false }
    const ca = this.#ca === undefined ? {} : { ca: this.#ca }
    const request = url.startsWith('https:')
      ? requestHttps(url, { ...options, ...ca })
      : requestHttp(url, options)
    const answered = once(request, 'response')
    request.end(body)
    const [response] = (await answered) as [IncomingMessage]
    // A gateway that refuses a long body may close the connection during the upload.
    request.on('error', () => {})
    return response
  }

  async call<T = unknown>(
    method: string,
    path: string,
    { authorization, json, body, headers }: AppCall = {},
  ): Promise<AppAnswer<T>> {
    const own = this.token === '' ? {} : { Authorization: `Bearer ${this.token}` }
    const url = path.startsWith('http') ? path : this.base + path
    const sentBody = json === undefined ? body : JSON.stringify(json)
    const response = await this.#ask(url, {
      method,
      body: sentBody,
      headers: {
        ...(sentBody === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(sentBody)) }),
        'User-Agent': `me.capcom.smsgateway/${this.version}`,
        'Content-Type': 'application/json',
        ...(authorization === undefined ? own : { Authorization: authorization }),
        ...headers,
      },
    })
    const answer = await text(response)
    const type = response.headers['content-type'] ?? ''
    return { status: response.statusCode ?? 0, type, json: answer === '' ? null : JSON.parse(answer) }
  }

  /** `authorization`: `Code …` with a pairing code, or the recovery token of the app. */
  async register(authorization: string): Promise<AppAnswer<AppRegistration>> {
    const json = { name: 'samsung/a52qnsxx', simCards: [] }
    const answer = await this.call<AppRegistration>('POST', '/device', { authorization, json })
    if (answer.status === 201) {
      this.token = answer.json.token
      this.deviceId = answer.json.id
    }
    return answer
  }

  /** The messages that the app must send. */
  async pull(): Promise<Record<string, unknown>[]> {
    const { status, json } = await this.call<Record<string, unknown>[]>('GET', '/message?order=fifo')
    if (status !== 200) throw new Error(`the pull was answered ${status}`)
    return json
  }

  async webhooks(): Promise<readonly AppWebhook[]> {
    return (await this.call<readonly AppWebhook[]>('GET', '/webhooks')).json
  }

  async settings(): Promise<AppSettings> {
    return (await this.call<AppSettings>('GET', '/settings')).json
  }

  report(id: unknown, state: string, more: { readonly error?: string; readonly states?: object } = {}) {
    const { error, states = {} } = more
    const recipient = { phoneNumber: '+15550100123', state, ...(error === undefined ? {} : { error }) }
    return this.call('PATCH', '/message', { json: [{ id, state, recipients: [recipient], states }] })
  }

  /** Posts the event to its webhook, signed with the key. */
  async postEvent(
    key: string,
    event: string,
    { id, payload }: { readonly id: string; readonly payload: object },
  ) {
    const hook = (await this.webhooks()).find(one => one.event === event)
    if (hook === undefined) throw new Error(`there is no webhook for ${event}`)
    const body = JSON.stringify({ id, webhookId: hook.id, event, deviceId: this.deviceId, payload })
    return this.post(hook.url, body, signatureOf(key, body))
  }

  post(url: string, body: string, headers: Readonly<Record<string, string>>): Promise<AppAnswer> {
    return this.call('POST', url, { authorization: '', body, headers })
  }

  /** Opens the event stream. */
  async listen(): Promise<EventStream> {
    const headers = { Authorization: `Bearer ${this.token}`, Accept: 'text/event-stream' }
    const response = await this.#ask(`${this.base}/events`, { method: 'GET', headers })
    if (response.statusCode !== 200) throw new Error(`the stream was answered ${response.statusCode}`)
    let received = ''
    response.setEncoding('utf8').on('data', chunk => {
      received += chunk
    })
    response.on('error', () => {})
    return {
      type: response.headers['content-type'] ?? '',
      async until(text) {
        while (!received.includes(text)) {
          if (response.destroyed) throw new Error(`the stream ended after: ${received}`)
          const waitOver = new AbortController()
          const { signal } = waitOver
          const ended = once(response, 'close', { signal })
          // Abort after each wait. Without that, each wait would leave a listener behind.
          await Promise.race([once(response, 'data', { signal }), ended]).finally(() => waitOver.abort())
        }
        const end = received.indexOf(text) + text.length
        const upToText = received.slice(0, end)
        received = received.slice(end)
        return upToText
      },
      close: () => void response.destroy(),
    }
  }
}

/** The headers with which the app signs a webhook. */
export function signatureOf(key: string, body: string, timestamp = String(Math.floor(Date.now() / 1000))) {
  const signature = createHmac('sha256', key).update(body).update(timestamp).digest('hex')
  return { 'X-Timestamp': timestamp, 'X-Signature': signature }
}
