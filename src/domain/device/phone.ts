import { OFFER_LEASE_MS, RECEIVED_BURST_MAX, RECEIVED_PER_MINUTE_MAX } from '#contracts/bounds.ts'
import type { DeviceProtocol, Sim } from '#contracts/phone-orders.ts'
import type { DeviceStatus } from '#contracts/primitives.ts'
import { type Capabilities, capabilitiesOf } from '#domain/device/capabilities.ts'
import { Pacing } from '#domain/device/pacing.ts'
import { MessageQueue, type OpenMessage } from '#domain/message/message-queue.ts'

/** A device as stored in the database. Times are wall-clock milliseconds. */
export interface Device {
  readonly id: string
  readonly accountId: string
  readonly name: string
  readonly protocol: DeviceProtocol
  readonly platform: string | null
  readonly appVersion: string | null
  readonly sims: readonly Sim[]
  readonly battery: number | null
  readonly charging: boolean | null
  /** dBm. */
  readonly signal: number | null
  readonly paused: boolean
  /** null: the configured pace. */
  readonly segmentsPerMinute: number | null
  readonly pairedAt: number
  readonly lastSeenAt: number
  /** What the last event reported, so that a return within `offline_after_s` makes no event. */
  readonly announcedOnline: boolean
  /** Messages sent on `sentDay` (whole days since 1970, UTC). */
  readonly sentDay: number
  readonly sentCount: number
}

/** Where a phone's connection is held: which listener thread, which of its sockets. */
export interface Connection {
  readonly listener: number
  /** Grows with time, across all listeners. */
  readonly socket: number
}

export interface Session {
  readonly id: string
  /** At least one, the newest last; several only for phones that may have several. */
  connections: readonly Connection[]
  /** True once the phone's journal was read, or if it keeps none; before that it is offered nothing. */
  synced: boolean
  /** Monotonic; silence about messages being sent counts from here. */
  readonly since: number
}

/** A message that is offered to the phone or being sent by it. */
export interface Flight {
  readonly message: OpenMessage
  readonly attempt: number
  /** The session that it was offered to; empty: an earlier process, or a phone that fetches messages. */
  readonly session: string
  /** Monotonic. */
  readonly offeredAt: number
  /** Monotonic: the phone's last report about it. */
  heardAt: number
  /** What this process heard about it: nothing, that the phone holds it, or that it started it. */
  progress: 'unheard' | 'held' | 'started'
}

/** One paired phone in memory: its row, its session, its queue and its messages in flight. */
export class Phone {
  device: Device
  readonly can: Capabilities
  readonly pacing: Pacing
  session: Session | null = null
  /** The connection of its last `hello`; a higher socket number was opened later. */
  newestConnection: Connection | null = null
  saysBusy = false
  /** The phone's driver (`termux`), and its error if it cannot send; since its last `hello`. */
  driver: string | null = null
  trouble: string | null = null
  /** Its error if it cannot receive; since its last `hello`. */
  receiveTrouble: string | null = null
  /** Monotonic: since when the gateway's agent cannot reach the phone; null: it can. */
  awaySinceMono: number | null = null
  /** Monotonic: the last time that it was heard. */
  heardAtMono: number
  lastSeenAt: number
  usedAtMono = 0
  /** Monotonic: when its pace allows the next offer; null: it does not wait for that. */
  pumpAtMono: number | null = null
  /** Monotonic: when it was woken and has not fetched a message since; null: it was not woken. */
  wokenAtMono: number | null = null
  /** Messages assigned to this phone; they may move to another. */
  readonly queue = new MessageQueue()
  /** Messages whose caller named this phone. */
  readonly pinned = new MessageQueue()
  readonly flights = new Map<string, Flight>()
  /** Limits the received texts that it reports. */
  readonly handingIn: Pacing
  /** Monotonic: when its flooding was last logged. */
  floodToldAtMono = Number.NEGATIVE_INFINITY

  constructor(device: Device, pacing: Pacing, monoMs: number) {
    this.device = device
    this.can = capabilitiesOf(device.protocol)
    this.pacing = pacing
    this.handingIn = new Pacing(RECEIVED_PER_MINUTE_MAX, RECEIVED_BURST_MAX, monoMs)
    this.heardAtMono = monoMs
    this.lastSeenAt = device.lastSeenAt
  }

  get id(): string {
    return this.device.id
  }

  get queueLength(): number {
    return this.queue.length + this.pinned.length
  }

  /** Messages that it was offered and has not begun. */
  get offeredCount(): number {
    let count = 0
    for (const { message } of this.flights.values()) if (message.place === 'offered') count += 1
    return count
  }

  get hasFreeSlot(): boolean {
    let taken = 0
    for (const flight of this.flights.values()) if (this.#takesSlot(flight)) taken += 1
    return taken < this.can.slots
  }

  get status(): DeviceStatus {
    if (!this.isThere) return 'offline'
    return this.saysBusy || !this.hasFreeSlot ? 'busy' : 'online'
  }

  /** It has a connection, and the phone behind it can be reached. */
  get isThere(): boolean {
    return this.session !== null && this.awaySinceMono === null
  }

  /**
   * A phone that disconnected less than `offline_after_s` ago still counts: most reconnect within seconds.
   */
  isConnected(monoMs: number, offlineAfterMs: number): boolean {
    if (this.isThere) return true
    const goneAtMono = Math.min(this.heardAtMono, this.awaySinceMono ?? this.heardAtMono)
    return this.device.announcedOnline && monoMs - goneAtMono < offlineAfterMs
  }

  /** It gets no offers: its owner paused it, or it reports that it cannot send. */
  get isPaused(): boolean {
    return this.device.paused || this.trouble !== null
  }

  /** It may get messages: connected, or disconnected only a moment ago, and not paused. */
  canSendSoon(monoMs: number, offlineAfterMs: number): boolean {
    return !this.isPaused && !this.isOverdue(monoMs) && this.isConnected(monoMs, offlineAfterMs)
  }

  /** It was woken and fetched nothing in time, although it has a connection. */
  isOverdue(monoMs: number): boolean {
    return this.wokenAtMono !== null && monoMs - this.wokenAtMono >= OFFER_LEASE_MS
  }

  queueFor(message: OpenMessage): MessageQueue {
    return message.pinned ? this.pinned : this.queue
  }

  /** Milliseconds until a message added now would leave. */
  expectedWaitMs(monoMs: number): number {
    return this.pacing.expectedWaitMs(this.queue.segments + this.pinned.segments, monoMs)
  }

  /**
   * A message that an earlier process of an asking phone began, and that the new one does not know, takes
   * no slot.
   */
  #takesSlot(flight: Flight): boolean {
    const { session } = this
    if (!this.can.asksFirst || flight.session === session?.id) return true
    return flight.heardAt >= (session?.since ?? 0)
  }
}
