import type { AcceptMessage } from '#contracts/commands.ts'
import type { GatewayFrame, HelloFrame, PhoneFrame, SyncFrame } from '#contracts/device-frames.ts'
import type { JournalState, RingOutcome } from '#contracts/phone-orders.ts'
import type { Message } from '#domain/message/message.ts'
import { messageOfRow } from '#storage/message-row.ts'
import { HELLO } from '#test/kit/hello.ts'
import { acceptedIn, messageToAccept } from '#test/kit/messages.ts'
import { TestWorld } from '#test/kit/world.ts'
import { newsOf } from '#transport/device/roost/frame-translation.ts'

/** Starts above the socket ids that tests choose by hand. All suites of a folder share this counter. */
let lastSocket = 1_000

/** A phone that the test controls: it sends the frames of the test, and keeps those that it receives. */
export class TestPhone {
  readonly deviceId: string
  readonly #world: TestWorld
  #socket = 0

  constructor(world: TestWorld, deviceId: string) {
    this.#world = world
    this.deviceId = deviceId
  }

  get connection() {
    return { listener: 1, socket: this.#socket }
  }

  /** Opens a connection and sends hello, without the sync. */
  hello(country?: string, about: Partial<HelloFrame> = {}): void {
    this.#socket = ++lastSocket
    const sims =
      country === undefined ? [] : [{ slot: 1, carrier: null, countryCode: country, phoneNumber: null }]
    this.sendFrame({ ...HELLO, sims, ...about })
  }

  sync(messages: SyncFrame['messages'] = [], more = false): void {
    this.sendFrame({ type: 'sync', messages, more })
  }

  /** Opens a connection and syncs its journal. Returns the frames of the gateway, as `received` does. */
  connect(
    options: { country?: string; journal?: SyncFrame['messages']; about?: Partial<HelloFrame> } = {},
  ): readonly string[] {
    this.hello(options.country, options.about)
    this.sync(options.journal)
    return this.received()
  }

  close(silentMs = 0): void {
    const { deviceId, connection } = this
    this.#world.ask('phone.closed', { deviceId, connection, silentMs })
  }

  begin(messageId: string, attempt = 1): void {
    this.sendFrame({ type: 'begin', messageId, attempt })
  }

  report(messageId: string, state: JournalState, more: { attempt?: number; code?: string } = {}): void {
    const { attempt = 1, code = null } = more
    this.sendFrame({ type: 'report', messageId, attempt, state, code, detail: null, at: null })
  }

  sendFrame(frame: PhoneFrame, connection = this.connection): void {
    this.#world.ask('phone.news', { deviceId: this.deviceId, connection, news: newsOf(frame) })
  }

  /** The ids of the rings that it was ordered since the last call, and `stop …`; other frames are dropped. */
  rings(): readonly string[] {
    return this.#world.framesTo(this.#socket).flatMap(output => {
      if (output.kind !== 'frame') return []
      const { frame } = output
      if (frame.type === 'stop-ring') return [`stop ${frame.ringId}`]
      return frame.type === 'ring' ? [frame.ringId] : []
    })
  }

  rang(ringId: string, outcome: RingOutcome): void {
    this.sendFrame({ type: 'rang', ringId, outcome })
  }

  /** The frames received on this connection since the last call, as `type` or `type/attempt`. */
  received(socket = this.#socket): readonly string[] {
    return this.#world.framesTo(socket).map(output => {
      if (output.kind !== 'frame') return output.kind
      const { frame } = output
      return 'attempt' in frame ? `${frame.type}/${frame.attempt}` : frame.type
    })
  }

  /** The messages that it was offered since the last call, in order; all other frames are dropped. */
  offered(): readonly string[] {
    return this.#world
      .framesTo(this.#socket)
      .flatMap(effect => (effect.kind === 'frame' ? [effect.frame] : []))
      .filter((frame): frame is Extract<GatewayFrame, { type: 'offer' }> => frame.type === 'offer')
      .map(({ messageId }) => messageId)
  }
}

/** A gateway with an owner and phones that are not connected yet. */
export function openWorld(phones = 1, world = new TestWorld()) {
  const accountId = world.ask('gateway.first-start', {})?.accountId ?? ''
  const pair = (): TestPhone => {
    const { code } = world.ask('device.create-pairing', { accountId, name: null })
    const { deviceId } = world.ask('device.pair', { code, name: null, platform: null, appVersion: null })
    return new TestPhone(world, deviceId)
  }
  const message = (different: Partial<AcceptMessage> = {}) =>
    messageToAccept(accountId, { queueIfOffline: true, ...different })
  return {
    world,
    accountId,
    message,
    phones: Array.from({ length: phones }, pair),
    /** Accepts a message; returns its id. */
    send: (different: Partial<AcceptMessage> = {}) =>
      acceptedIn(world.ask('message.accept', message(different))).messageId,
    cancel: (messageId: string) => world.ask('message.cancel', { accountId, test: false, messageId }),
    update: (phone: TestPhone, change: { paused?: boolean; segmentsPerMinute?: number }) =>
      world.ask('device.update', { accountId, deviceId: phone.deviceId, change }),
    remove: (phone: TestPhone) => world.ask('device.remove', { accountId, deviceId: phone.deviceId }),
    stored: (messageId: string): Message => {
      const row = world.database.prepare('SELECT * FROM message WHERE id = ?').get(messageId)
      if (row === undefined) throw new Error(`no message ${messageId}`)
      return messageOfRow(row)
    },
  }
}

/** How a message ended: its failure code, or its status if it has none. */
export function endOf(message: Message): string {
  return message.failure?.code ?? message.status
}
