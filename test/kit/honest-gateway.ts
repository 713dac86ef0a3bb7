/** The gateway's side of the protocol for one message. Counts how often it sent `go`. */
import { type FakeGateway, messageIdOf, offerOf, type PhoneSocket } from '#test/kit/fake-gateway.ts'

export class HonestGateway {
  readonly #gateway: FakeGateway
  #status = 'queued'
  #attempt = 1
  #goCount = 0
  readonly #final = Promise.withResolvers<string>()

  constructor(gateway: FakeGateway) {
    this.#gateway = gateway
  }

  get goCount(): number {
    return this.#goCount
  }

  /** The final state of the message. */
  get final(): Promise<string> {
    return this.#final.promise
  }

  /** Serves the next connection until it ends. Resolves when the phone is synced. */
  async serveNext(): Promise<PhoneSocket> {
    const phone = await this.#gateway.nextPhone()
    for (const held of await phone.welcome()) this.#learn(held.attempt, held.state)
    phone.sendFrame({ type: 'synced' })
    this.#offer(phone)
    this.#work(phone).catch(() => undefined)
    this.#listen(phone).catch(() => undefined)
    return phone
  }

  async #work(phone: PhoneSocket): Promise<void> {
    for (;;) {
      const { messageId, attempt } = await phone.next('begin')
      const isGranted = this.#status === 'queued' && attempt === this.#attempt
      if (isGranted) {
        this.#status = 'sending'
        this.#goCount++
      }
      phone.sendFrame({ type: isGranted ? 'go' : 'no', messageId, attempt })
    }
  }

  async #listen(phone: PhoneSocket): Promise<void> {
    for (;;) {
      const report = await phone.next('report')
      this.#learn(report.attempt, report.state)
      phone.ack(report)
      this.#offer(phone)
    }
  }

  #offer(phone: PhoneSocket): void {
    if (this.#status === 'queued') phone.sendFrame(offerOf(1, { attempt: this.#attempt }))
  }

  #learn(attempt: number, state: string): void {
    if (state === 'accepted' && this.#status === 'sending' && attempt === this.#attempt) {
      this.#status = 'queued'
      this.#attempt++
    }
    if (state === 'sent') this.#status = 'sent'
    if (state === 'delivered' || state === 'uncertain' || state === 'failed') {
      this.#status = state
      this.#final.resolve(state)
    }
  }
}

/** The id of the message. */
export const MESSAGE_ID = messageIdOf(1)
