/** The domain with an owner, one-time codes, and a phone whose frames the test sends. */

import type { IssueCode, IssuedCode } from '#contracts/commands.ts'
import type { GatewayFrame, PhoneFrame } from '#contracts/device-frames.ts'
import type { MessageStatus } from '#contracts/primitives.ts'
import { TEMPLATE_DEFAULT, type VerifiedCodeResource } from '#contracts/two-factor.ts'
import { HELLO } from '#test/kit/hello.ts'
import { OFFLINE_AFTER_MS, TestWorld } from '#test/kit/world.ts'

export const NUMBER = '+14155550123'
const SOCKET = 7

type Offer = Extract<GatewayFrame, { readonly type: 'offer' }>

export class CodeWorld extends TestWorld {
  readonly accountId: string
  deviceId = ''

  constructor(file?: string) {
    super(file)
    const owner = this.ask('gateway.first-start', {})
    this.accountId = owner?.accountId ?? this.ask('account.list', {})[0]?.accountId ?? ''
  }

  /** Pairs a phone, unless there is one, and connects it. */
  connectPhone(): void {
    if (this.deviceId === '') {
      const { code } = this.ask('device.create-pairing', { accountId: this.accountId, name: null })
      this.deviceId = this.ask('device.pair', { code, name: null, platform: null, appVersion: null }).deviceId
    }
    this.sendFrame(HELLO)
    this.sendFrame({ type: 'sync', messages: [], more: false })
  }

  /** Disconnects the phone, and advances the clock until the phone counts as offline. */
  losePhone(): void {
    const connection = { listener: 1, socket: SOCKET }
    this.ask('phone.closed', { deviceId: this.deviceId, connection, silentMs: 0 })
    this.advance(OFFLINE_AFTER_MS)
  }

  sendFrame(frame: PhoneFrame): void {
    this.sendFromPhone(this.deviceId, SOCKET, frame)
  }

  report(messageId: string, state: 'sent' | 'delivered' | 'failed', code: string | null = null): void {
    this.sendFrame({ type: 'report', messageId, attempt: 1, state, code, detail: null, at: null })
  }

  /** The offers that reached the phone since the last call. */
  offers(): Offer[] {
    return this.framesTo(SOCKET).flatMap(effect =>
      effect.kind === 'frame' && effect.frame.type === 'offer' ? [effect.frame] : [],
    )
  }

  issue(over: Partial<IssueCode> = {}): IssuedCode {
    return this.ask('two-factor.issue', this.request(over))
  }

  /** A request for the code 4711 in the sandbox. */
  request(over: Partial<IssueCode> = {}): IssueCode {
    return {
      accountId: this.accountId,
      test: true,
      phoneNumber: NUMBER,
      country: 'US',
      code: '4711',
      template: TEMPLATE_DEFAULT,
      validityMs: 300_000,
      deviceId: null,
      idempotency: null,
      ...over,
    }
  }

  /** Counts and compares a try, each in its own transaction, as the route does. */
  verify(code: string, over: Partial<Guess> = {}): VerifiedCodeResource {
    const { by, ...owner } = { accountId: this.accountId, test: true, by: { phoneNumber: NUMBER }, ...over }
    const counted = this.ask('two-factor.count-try', { ...owner, by })
    if (counted.reason !== null) return { verified: false, reason: counted.reason }
    const { messageId, tryNumber } = counted
    return this.ask('two-factor.compare-try', { ...owner, messageId, tryNumber, code })
  }

  reasonFor(code: string, over: Partial<Guess> = {}): VerifiedCodeResource['reason'] {
    return this.verify(code, over).reason
  }

  /** The value in the first column of the first row. */
  column(sql: string, ...parameters: (string | number)[]): unknown {
    return Object.values(this.database.prepare(sql).get(...parameters) ?? {})[0]
  }

  status(messageId: string): MessageStatus {
    return this.column('SELECT status FROM message WHERE id = ?', messageId) as MessageStatus
  }

  /** Every value of every table, as one text. */
  dump(): string {
    const tables = this.database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all()
    const rows = tables.flatMap(({ name }) => this.database.prepare(`SELECT * FROM ${name}`).all())
    return JSON.stringify(rows, (_, value) =>
      value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value,
    )
  }
}

interface Guess {
  readonly accountId: string
  readonly test: boolean
  readonly by: { readonly phoneNumber: string } | { readonly messageId: string }
}
