/** Calls a gateway and keeps the head and body of every refusal, to search them later. */
import type { GatewayProcess } from '#test/kit/gateway-process.ts'
import { RawConnection, type RequestParts, rawRequest } from '#test/kit/raw-http.ts'

export interface AskOptions {
  readonly key?: string
  readonly token?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly json?: unknown
  readonly body?: string
}

export interface ReadAnswer {
  readonly status: number
  readonly text: string
  readonly data: Record<string, unknown>
}

export class RefusalLog {
  readonly #gateway: GatewayProcess
  readonly #refusals: string[] = []
  readonly statuses: number[] = []

  constructor(gateway: GatewayProcess) {
    this.#gateway = gateway
  }

  get text(): string {
    return this.#refusals.join('\n')
  }

  add(refusal: string): void {
    this.#refusals.push(refusal)
  }

  async ask(method: string, path: string, options: AskOptions = {}): Promise<ReadAnswer> {
    const { key, token, headers, json, body } = options
    const response = await fetch(`${this.#gateway.url}${path}`, {
      method,
      headers: {
        ...(key !== undefined && { 'X-API-Key': key }),
        ...(token !== undefined && { Authorization: `Bearer ${token}` }),
        ...((json ?? body) !== undefined && { 'Content-Type': 'application/json' }),
        ...headers,
      },
      body: json === undefined ? (body ?? null) : JSON.stringify(json),
    })
    const text = await response.text()
    this.#note(response.status, text)
    const isJson = response.headers.get('content-type')?.startsWith('application/json') === true
    const { data = {} } = isJson ? (JSON.parse(text) as { data?: Record<string, unknown> }) : {}
    return { status: response.status, text, data }
  }

  /** The `data` of a success. @throws Error with the refusal otherwise */
  async succeed(method: string, path: string, options: AskOptions = {}): Promise<Record<string, unknown>> {
    const { status, text, data } = await this.ask(method, path, options)
    if (status !== 200) throw new Error(`${method} ${path}: ${status} ${text}`)
    return data
  }

  /** Sends the request as raw bytes on its own connection. */
  async askRaw(parts: RequestParts): Promise<void> {
    const connection = await RawConnection.open(this.#gateway.url)
    connection.write(rawRequest(parts))
    const answer = await connection.next()
    connection.close()
    if (answer !== null) this.#note(answer.status, `${answer.head}\n${answer.body}`)
  }

  #note(status: number, text: string): void {
    this.statuses.push(status)
    if (status !== 200) this.#refusals.push(`${status} ${text}`)
  }
}
