/**
 * A fake of the local server in the SMSGate app, with faults that a test can set. If files are given, it
 * writes accepted and sent texts there as lines, so that they survive a kill -9.
 */

import { once } from 'node:events'
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface PhoneRow {
  readonly id: string
  readonly text: string
  readonly number: string
  readonly ttl: number | null
  state: string
  error: string | null
  states: Record<string, string>
}

export interface InboxText {
  readonly id: string
  readonly sender: string | null
  readonly contentPreview: string
  readonly createdAt: string
  readonly simNumber?: number
  readonly type?: string
}

/** How a request ends. `cut-before`: it is dropped; `cut-after`: it is handled and its answer is lost. */
export type Fate = 'answer' | 'cut-before' | 'cut-after' | 'fail'

export interface PhoneSettings {
  readonly phoneId?: string
  readonly version?: string
  readonly password?: string
  /** The file for the app's database. Default: in memory. */
  readonly file?: string
  /** The file for ids that were transmitted. Default: in memory. */
  readonly transmittedFile?: string
  readonly port?: number
  /** Default: 127.0.0.1. */
  readonly host?: string
}

export class SmsgatePhone {
  readonly username = 'sms'
  password: string
  phoneId: string
  version: string
  readonly rows = new Map<string, PhoneRow>()
  readonly inbox: InboxText[] = []
  /** Ids of texts that were transmitted, in order. */
  readonly transmitted: string[] = []
  /** Every request, such as `POST /message`. */
  readonly requests: string[] = []
  /** Ids that were accepted with a 202, in order. */
  readonly taken: string[] = []
  battery = 80
  /** The result of the radio for a text: null if it was sent, otherwise the app's error message. */
  radio: (row: PhoneRow) => Promise<string | null> = () => Promise.resolve(null)
  reportsDelivery = true
  /** Decides about each request before it is handled. */
  fate: (asked: string) => Fate | Promise<Fate> = () => 'answer'
  /** Called at each step of a text, so that a test may kill the phone there. */
  onStep: (step: string) => void = () => {}
  /** Stays the same after `stop` and `comeBack`. */
  port = 0
  readonly #settings: PhoneSettings
  #server: Server

  private constructor(settings: PhoneSettings) {
    this.#settings = settings
    this.phoneId = settings.phoneId ?? 'Kx3nF8uWq0aLr7Vb2Tz9c'
    this.version = settings.version ?? '1.68.0'
    this.password = settings.password ?? 'pa55w0rd'
    this.#server = this.#newServer()
  }

  static async start(settings: PhoneSettings = {}): Promise<SmsgatePhone> {
    const phone = new SmsgatePhone(settings)
    phone.#restore()
    await phone.#listen(settings.port ?? 0)
    return phone
  }

  get #host(): string {
    return this.#settings.host ?? '127.0.0.1'
  }

  get url(): string {
    return `http://${this.#host}:${this.port}`
  }

  get access() {
    const { url, username, password } = this
    return { url, username, password }
  }

  /** Stops listening, until `comeBack`. */
  async stop(): Promise<void> {
    if (!this.#server.listening) return
    this.#server.close()
    this.#server.closeAllConnections()
    await once(this.#server, 'close')
  }

  async comeBack(): Promise<void> {
    this.#server = this.#newServer()
    await this.#listen(this.port)
  }

  /** Loses all texts, as when the owner clears the app's data and sets it up again. */
  forgetAll(): void {
    this.rows.clear()
    this.#write({ cleared: true })
  }

  #newServer(): Server {
    return createServer((request, response) => {
      this.#answer(request, response).catch(() => request.socket.destroy())
    })
  }

  async #listen(port: number): Promise<void> {
    this.#server.listen(port, this.#host)
    await once(this.#server, 'listening')
    this.port = (this.#server.address() as AddressInfo).port
  }

  /** Continues unfinished texts. An app that died while the radio had a text gives the text to it again. */
  #restore(): void {
    const { file } = this.#settings
    if (file === undefined || !existsSync(file)) return
    for (const line of readFileSync(file, 'utf8').split('\n')) {
      const entry = parseLine(line)
      if (entry?.cleared === true) this.rows.clear()
      else if (entry?.row !== undefined) this.rows.set(entry.row.id, entry.row)
    }
    for (const row of this.rows.values())
      if (row.state === 'Pending' || row.state === 'Processed') void this.#send(row)
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '', 'http://phone')
    const asked = `${request.method} ${url.pathname}`
    this.requests.push(asked)
    const body = await textOf(request)
    const fate = await this.fate(asked)
    if (fate === 'cut-before') return void request.socket.destroy()
    const [status, json, headers = {}] =
      fate === 'fail' ? [500, { message: 'an error' }] : this.#serve(request, url, body)
    if (fate === 'cut-after') return void request.socket.destroy()
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers })
    response.end(JSON.stringify(json))
  }

  #serve(request: IncomingMessage, { pathname, searchParams }: URL, body: string): Reply {
    if (pathname === '/health') return [200, this.#health()]
    const wanted = `Basic ${Buffer.from(`${this.username}:${this.password}`).toString('base64')}`
    if (request.headers.authorization !== wanted) return [401, { message: 'Unauthorized' }]
    if (pathname === '/device') return [200, [this.#device()]]
    // The versions 1.5x have no inbox.
    if (pathname === '/inbox' && !this.version.startsWith('1.5')) return this.#inboxPage(searchParams)
    if (pathname === '/message' && request.method === 'POST') return this.#take(body)
    const [, id] = /^\/message\/([^/]+)$/.exec(pathname) ?? []
    const row = id === undefined ? undefined : this.rows.get(decodeURIComponent(id))
    return row === undefined ? [404, { message: 'Not found' }] : [200, this.#describe(row)]
  }

  #take(body: string): Reply {
    this.onStep('asked')
    const given = JSON.parse(body) as {
      id: string
      textMessage: { text: string }
      phoneNumbers: string[]
      ttl?: number
    }
    if (this.rows.has(given.id)) return [409, { message: 'Message with this id exists' }]
    const row: PhoneRow = {
      id: given.id,
      text: given.textMessage.text,
      number: given.phoneNumbers[0] ?? '',
      ttl: given.ttl ?? null,
      state: 'Pending',
      error: null,
      states: { Pending: new Date().toISOString() },
    }
    this.#save(row)
    this.taken.push(row.id)
    this.onStep('taken')
    setImmediate(() => void this.#send(row))
    return [202, this.#describe(row)]
  }

  async #send(row: PhoneRow): Promise<void> {
    const error = await this.radio(row)
    if (!this.rows.has(row.id)) return
    if (error !== null) return this.#move(row, 'Failed', error)
    this.transmitted.push(row.id)
    const { transmittedFile } = this.#settings
    if (transmittedFile !== undefined) appendFileSync(transmittedFile, `${row.id}\n`)
    this.onStep('transmitted')
    this.#move(row, 'Processed')
    this.onStep('processed')
    this.#move(row, 'Sent')
    this.onStep('sent')
    if (this.reportsDelivery) this.#move(row, 'Delivered')
  }

  #move(row: PhoneRow, state: string, error: string | null = null): void {
    row.state = state
    row.error = error
    row.states[state] = new Date().toISOString()
    this.#save(row)
  }

  #save(row: PhoneRow): void {
    this.rows.set(row.id, row)
    this.#write({ row })
  }

  #write(entry: object): void {
    const { file } = this.#settings
    if (file !== undefined) appendFileSync(file, `${JSON.stringify(entry)}\n`)
  }

  #inboxPage(query: URLSearchParams): Reply {
    const sinceMs = Date.parse(query.get('from') ?? '') || 0
    const all = this.inbox
      .filter(text => !(Date.parse(text.createdAt) < sinceMs))
      .toSorted((a, b) => (Date.parse(b.createdAt) || 0) - (Date.parse(a.createdAt) || 0))
    const offset = Number(query.get('offset') ?? 0)
    const page = all.slice(offset, offset + Number(query.get('limit') ?? 50))
    const texts = page.map(text => ({ type: 'SMS', recipient: null, simNumber: 1, ...text }))
    return [200, texts, { 'X-Total-Count': String(all.length) }]
  }

  #describe({ id, state, number, error, states }: PhoneRow): object {
    const recipients = [{ phoneNumber: number, state, error }]
    return { id, deviceId: this.phoneId, state, isHashed: false, isEncrypted: false, recipients, states }
  }

  #device(): object {
    const createdAt = '2026-01-01T00:00:00.000Z'
    const sim = {
      slotIndex: 0,
      simNumber: 1,
      phoneNumber: '+4915112345678',
      carrierName: 'Testnetz',
      iccid: null,
    }
    const times = { createdAt, updatedAt: createdAt, lastSeen: new Date().toISOString() }
    return { id: this.phoneId, name: 'Google/oriole', ...times, simCards: [sim] }
  }

  #health(): object {
    const check = (observedValue: number) => ({
      status: 'pass',
      observedValue,
      observedUnit: '',
      description: '',
    })
    const checks = { 'battery:level': check(this.battery), 'battery:charging': check(2) }
    return { status: 'pass', version: this.version, releaseId: 100, checks }
  }
}

type Reply = [status: number, json: object, headers?: Record<string, string>]

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}

/** Ignores a line that a kill cut short. */
function parseLine(line: string): { readonly row?: PhoneRow; readonly cleared?: boolean } | null {
  try {
    return JSON.parse(line) as { readonly row?: PhoneRow; readonly cleared?: boolean }
  } catch {
    return null
  }
}
