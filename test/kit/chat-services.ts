/**
 * The services that forwards pass texts on to, as their documentation describes them: what they refuse, and
 * how they answer. One web server plays all of them, each below a path of its own.
 */
import type { ServerResponse } from 'node:http'
import type { Behaviour, ReceivedRequest } from '#test/kit/rogue-receiver.ts'

/** The credentials and addresses that the services know. */
export const KNOWN = {
  ntfy: 'tk_AgQdq7mVBoFD37zQVN29RhuMzNIz2',
  gotify: 'AKJ.test.token1',
  telegram: '123456:ABC-DEF1234ghIkl-zyx57W2v1u123ew11',
  chat: '-1001234567890',
  matrix: 'syt_dGVzdA_abcdefgh_0abcde',
  room: '!abcdefgh:example.org',
} as const

/** A message as its reader sees it. */
export interface ShownMessage {
  readonly service: string
  readonly title: string | null
  readonly text: string
}

type Answer = readonly [status: number, body: unknown]
type Service = (request: ReceivedRequest, json: Record<string, unknown>) => Answer

/** An answer that a service documents for the case that it does not take a message. */
export interface ServiceRefusal {
  readonly status: number
  readonly body: unknown
  readonly headers?: Readonly<Record<string, string>>
}

export class ChatServices {
  readonly shown: ShownMessage[] = []
  /** What services answer instead of taking a message, by their names. */
  readonly refusals = new Map<string, ServiceRefusal>()
  /** Matrix's events by their transaction. */
  readonly #transactions = new Map<string, string>()

  readonly behave: Behaviour = (request, response) => {
    const [, name = ''] = request.path.split('/')
    const refusal = this.refusals.get(name)
    if (refusal !== undefined) return reply(response, refusal.status, refusal.body, refusal.headers)
    const service = this.#services[name]
    const [status, body] =
      service === undefined ? [404, 'no such service'] : service(request, readJson(request))
    reply(response, status, body)
  }

  readonly #services: Readonly<Record<string, Service>> = {
    ntfy: ({ headers, method, body }) => {
      if (method !== 'POST') return [404, { code: 40401, http: 404, error: 'page not found' }]
      if (headers.authorization !== `Bearer ${KNOWN.ntfy}`)
        return [401, { code: 40101, http: 401, error: 'unauthorized' }]
      // A longer message would be an attachment, which this server does not take.
      if (Buffer.byteLength(body) > 4096)
        return [400, { code: 40014, http: 400, error: 'invalid request: attachments not allowed' }]
      const title = String(headers['title']).replace(/^=\?UTF-8\?B\?(.*)\?=$/, (_, base64) =>
        Buffer.from(base64, 'base64').toString(),
      )
      return this.#show({ service: 'ntfy', title, text: body }, [
        200,
        { id: 'x', event: 'message', topic: 't' },
      ])
    },
    gotify: ({ path, headers }, { title, message, priority }) => {
      if (path !== '/gotify/message') return [404, { error: 'Not Found', errorCode: 404 }]
      if (headers['x-gotify-key'] !== KNOWN.gotify) return [401, { error: 'Unauthorized', errorCode: 401 }]
      if (typeof message !== 'string' || typeof priority !== 'number')
        return [400, { error: 'Bad Request', errorCode: 400 }]
      return this.#show({ service: 'gotify', title: String(title), text: message }, [200, { id: 1, message }])
    },
    telegram: ({ path }, { chat_id, text }) => {
      if (path !== `/telegram/bot${KNOWN.telegram}/sendMessage`)
        return [401, { ok: false, error_code: 401, description: 'Unauthorized' }]
      if (chat_id !== KNOWN.chat || typeof text !== 'string' || text === '' || text.length > 4096)
        return [400, { ok: false, error_code: 400, description: 'Bad Request' }]
      return this.#show({ service: 'telegram', title: null, text }, [
        200,
        { ok: true, result: { message_id: 1 } },
      ])
    },
    matrix: ({ path, method, headers }, { msgtype, body }) => {
      const match = /^\/matrix\/_matrix\/client\/v3\/rooms\/([^/]+)\/send\/m\.room\.message\/([^/]+)$/.exec(
        path,
      )
      if (method !== 'PUT' || match === null)
        return [404, { errcode: 'M_UNRECOGNIZED', error: 'Unrecognized' }]
      if (headers.authorization !== `Bearer ${KNOWN.matrix}`)
        return [401, { errcode: 'M_UNKNOWN_TOKEN', error: 'Unknown token' }]
      const [, room = '', transaction = ''] = match
      if (decodeURIComponent(room) !== KNOWN.room)
        return [403, { errcode: 'M_FORBIDDEN', error: 'Not in room' }]
      if (msgtype !== 'm.text' || typeof body !== 'string')
        return [400, { errcode: 'M_BAD_JSON', error: 'Bad' }]
      const known = this.#transactions.get(transaction)
      if (known !== undefined) return [200, { event_id: known }]
      const event_id = `$${this.#transactions.size}`
      this.#transactions.set(transaction, event_id)
      return this.#show({ service: 'matrix', title: null, text: body }, [200, { event_id }])
    },
    slack: (_, { text }) => {
      if (typeof text !== 'string') return [400, 'invalid_payload']
      const shown = text.replace(
        /&(lt|gt|amp);/g,
        (_, name) => ({ lt: '<', gt: '>', amp: '&' })[name as 'lt'],
      )
      return this.#show({ service: 'slack', title: null, text: shown }, [200, 'ok'])
    },
    discord: (_, { content, allowed_mentions }) => {
      if (typeof content !== 'string' || content === '' || content.length > 2000)
        return [400, { message: 'Invalid Form Body', code: 50035 }]
      const calls = JSON.stringify(allowed_mentions) === '{"parse":[]}' ? '' : 'everybody: '
      return this.#show({ service: 'discord', title: null, text: calls + content }, [204, ''])
    },
  }

  #show(message: ShownMessage, answer: Answer): Answer {
    this.shown.push(message)
    return answer
  }
}

function readJson({ headers, body }: ReceivedRequest): Record<string, unknown> {
  return headers['content-type'] === 'application/json' ? JSON.parse(body) : {}
}

function reply(response: ServerResponse, status: number, body: unknown, headers: object = {}): void {
  const isText = typeof body === 'string'
  response.writeHead(status, { 'content-type': isText ? 'text/plain' : 'application/json', ...headers })
  response.end(isText ? body : JSON.stringify(body))
}
