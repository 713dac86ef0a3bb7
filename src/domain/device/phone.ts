import { OFFER_LEASE_MS, RECEIVED_PER_MINUTE_MAX } from '#contracts/bounds.ts'
import type { PhoneConnection } from '#contracts/phone-commands.ts'
import { type DeviceProtocol, PRETEND_DRIVER, type Sim } from '#contracts/phone-orders.ts'
import type { DeviceStatus } from '#contracts/primitives.ts'
import { type Capabilities, capabilitiesOf } from '#domain/device/capabilities.ts'
import { Pacing } from '#domain/device/pacing.ts'
import { PhoneTally } from '#domain/device/phone-tally.ts'
import type { Proof, StoredPlan } from '#domain/drill/drill.ts'
import { MessageQueue, type OpenMessage } from '#domain/message/message-queue.ts'

/** Received texts that a phone may report at once, after it was offline. */
export const RECEIVED_BURST_MAX = 500

/** A device as stored in the database. Times are wall-clock milliseconds. */
export interface Device {
  readonly id: string
  readonly accountId: string
  readonly name: string
  readonly protocol: DeviceProtocol
  readonly platform: string | null
  readonly appVersion: string | null
  /** The agent's driver, such as `termux`, as last reported. */
  readonly driver: string | null
  readonly sims: readonly Sim[]
  /** Whether it can ring people. Null: not known. */
  readonly calls: boolean | null
  /** Whether it hands in received texts. Null: not known. */
  readonly receives: boolean | null
  readonly battery: number | null
  readonly charging: boolean | null
  /** dBm. */
  readonly signal: number | null
  readonly paused: boolean
  /** null: the configured pace. */
  readonly segmentsPerMinute: number | null
  readonly pairedAt: number
  readonly lastSeenAt: number
  /** Whether the last event said "online". A phone that returns within `offline_after_s` causes no event. */
  readonly announcedOnline: boolean
  /** Messages sent on `sentDay` (whole days since 1970, UTC). */
  readonly sentDay: number
  readonly sentCount: number
  /** Caps of its SIM, in segments; null: none. */
  readonly smsPerDayMax: number | null
  readonly smsPerMonthMax: number | null
  /** The day on which a month begins, 1 to 28. */
  readonly monthStartsOn: number
  /** The segments of its last days (whole days since 1970, UTC). */
  readonly segmentDays: readonly (readonly [day: number, segments: number])[]
  /** Its number as its owner wrote it down, E.164; null: not written down. */
  readonly phoneNumber: string | null
  /** When drills run by themselves; null: never. */
  readonly drill: StoredPlan | null
  /** What drills have shown; null: there was none. */
  readonly proof: Proof | null
}

/** The time from a phone's first connection until its last one closes. */
export interface PhoneSession {
  readonly id: string
  /** At least one, oldest first; never several if the phone's `can.oneConnection` is true. */
  connections: readonly PhoneConnection[]
  /** True once the phone's journal was read, or if the phone keeps none. Until then it gets no offers. */
  synced: boolean
  /** Monotonic start of the session. Reports about messages being sent are expected from this time on. */
  readonly since: number
}

/** A message that is offered to the phone or being sent by it. */
export interface Flight {
  readonly message: OpenMessage
  readonly attempt: number
  /** The session of the offer. Empty: offered by an earlier process, or the phone fetches messages. */
  readonly session: string
  /** Monotonic. */
  readonly offeredAt: number
  /** Monotonic time of the phone's last report about the message. */
  heardAt: number
  /** Monotonic time at which the phone first reported that it had submitted the message. Null: not yet. */
  submittedAt: number | null
  /** The phone did not report in time whether the submitted message was sent, so it uses no slot. */
  isOverdue: boolean
  /** What the phone has reported to this process: nothing, that it has the message, or that it started. */
  progress: 'unreported' | 'held' | 'started'
  /** The phone fetched the message and was then asked not to send it (cancel-held.ts). */
  isCancelled?: boolean
}

/** What the gateway itself found about a phone that cannot send, as a sentence. */
export interface PhoneHindrance {
  /**
   * `silent`: it reports nothing after a `go`. `refused`: the gateway closed its connection. `no-access`: the
   * gateway lost the phone's password, or another phone has its modem.
   */
  readonly kind: 'silent' | 'refused' | 'no-access'
  readonly words: string
}

/** One paired phone in memory: its row, its session, its queue and its messages in flight. */
export class Phone {
  device: Device
  readonly can: Capabilities
  readonly pacing: Pacing
  readonly tally: PhoneTally
  session: PhoneSession | null = null
  /** The connection of the phone's last `hello`. A socket with a higher number was opened later. */
  newestConnection: PhoneConnection | null = null
  /** Whether the phone last reported that it cannot take messages for now. */
  reportsBusy = false
  /** Why the phone cannot send, as last reported. Null: it can. */
  reportedTrouble: string | null = null
  /** Why it cannot send, as the gateway found. */
  finding: PhoneHindrance | null = null
  /** Monotonic time of the phone's last report about any message. */
  reportedAtMono = Number.NEGATIVE_INFINITY
  /** Whether a deadline is set at which the phone's reports are checked (watch-reports.ts). */
  isWatched = false
  /** Why the phone cannot report received texts, as last reported. Null: it can. */
  receiveTrouble: string | null = null
  /** Monotonic time at which the gateway's agent lost contact with the phone. Null: there is contact. */
  unreachableSinceMono: number | null = null
  /** Monotonic time at which the gateway last heard from the phone. */
  heardAtMono: number
  /** The same as a wall-clock time, for people. The value in the database may be older. */
  lastSeenAt: number
  /** Monotonic time at which the phone last got an offer or fetched a message. */
  usedAtMono = 0
  /** Monotonic time at which the phone's pace allows the next offer. Null: the pace does not delay it. */
  paceReadyAtMono: number | null = null
  /** Monotonic time at which the phone was woken. Null: not woken since it last fetched its messages. */
  wokenAtMono: number | null = null
  /** Messages assigned to this phone; they may move to another. */
  readonly queue = new MessageQueue()
  /** Messages whose caller named this phone. */
  readonly pinned = new MessageQueue()
  /** How many segments its caps leave (cap.ts). Infinity: it has none. */
  segmentsLeft = Number.POSITIVE_INFINITY
  /** Whether a deadline is set at which its caps are looked at. */
  isCapWatched = false
  readonly flights = new Map<string, Flight>()
  /** Limits how many received texts the phone may report. */
  readonly receiveLimit: Pacing
  /** Monotonic time at which the log last said that the gateway closed a connection of the phone. */
  refusalLoggedAtMono = Number.NEGATIVE_INFINITY
  /** The same for reports about texts that are not in the database. */
  unknownLoggedAtMono = Number.NEGATIVE_INFINITY

  constructor(device: Device, pacing: Pacing, monoMs: number) {
    this.device = device
    this.can = capabilitiesOf(device.protocol)
    this.pacing = pacing
    this.tally = new PhoneTally(device.announcedOnline, monoMs)
    this.receiveLimit = new Pacing(RECEIVED_PER_MINUTE_MAX, RECEIVED_BURST_MAX, monoMs)
    this.heardAtMono = monoMs
    this.lastSeenAt = device.lastSeenAt
  }

  /** Whether its agent prints texts instead of sending them. */
  get isPretend(): boolean {
    return this.device.driver === PRETEND_DRIVER
  }

  /** Whether the phone can ring somebody now, or once its current ring ends. */
  get canRing(): boolean {
    return this.device.calls === true && !this.device.paused && this.isReachable
  }

  /** Whether the phone hands in received texts, as far as is known. */
  get receives(): boolean {
    return this.device.receives === true && this.receiveTrouble === null
  }

  get id(): string {
    return this.device.id
  }

  get queueLength(): number {
    return this.queue.length + this.pinned.length
  }

  /** How many messages are offered to the phone that it has not begun to send. */
  get offeredCount(): number {
    let count = 0
    for (const { message } of this.flights.values()) if (message.stage === 'offered') count += 1
    return count
  }

  /** How many segments may be offered to it now. */
  get roomLeft(): number {
    if (this.segmentsLeft === Number.POSITIVE_INFINITY) return this.segmentsLeft
    let room = this.segmentsLeft
    for (const { message } of this.flights.values()) if (message.stage === 'offered') room -= message.segments
    return room
  }

  /** Whether its caps have room for a message behind those that wait for it. */
  hasRoomFor(segments: number): boolean {
    if (this.segmentsLeft === Number.POSITIVE_INFINITY) return true
    return this.roomLeft - this.queue.segments - this.pinned.segments >= segments
  }

  get hasFreeSlot(): boolean {
    let taken = 0
    for (const flight of this.flights.values()) if (this.#takesSlot(flight)) taken += 1
    return taken < this.can.slots
  }

  get status(): DeviceStatus {
    if (!this.isReachable) return 'offline'
    return this.reportsBusy || !this.hasFreeSlot ? 'busy' : 'online'
  }

  /**
   * Whether the phone has a connection on which it reported its journal and, if the gateway's agent calls it,
   * can be reached.
   */
  get isReachable(): boolean {
    return this.session?.synced === true && this.unreachableSinceMono === null
  }

  /** Why the phone cannot send. Null: it can. */
  get trouble(): string | null {
    return this.reportedTrouble ?? this.finding?.words ?? null
  }

  /** How many texts the phone took and did not report as sent in time. */
  get overdueCount(): number {
    let count = 0
    for (const { isOverdue } of this.flights.values()) if (isOverdue) count += 1
    return count
  }

  /**
   * Whether the phone counts as connected. A phone that disconnected less than `offline_after_s` ago still
   * does, because most phones reconnect within seconds.
   */
  isConnected(monoMs: number, offlineAfterMs: number): boolean {
    if (this.isReachable) return true
    const goneAtMono = Math.min(this.heardAtMono, this.unreachableSinceMono ?? this.heardAtMono)
    return this.device.announcedOnline && monoMs - goneAtMono < offlineAfterMs
  }

  /** Whether the phone gets no offers, because its owner paused it or it cannot send. */
  get isPaused(): boolean {
    return this.device.paused || this.trouble !== null
  }

  /** Whether the phone may get messages: it counts as connected, is not paused, overdue or at a cap. */
  canSendSoon(monoMs: number, offlineAfterMs: number): boolean {
    const may = this.segmentsLeft > 0 && !this.isPaused && !this.isOverdue(monoMs)
    return may && this.isConnected(monoMs, offlineAfterMs)
  }

  /** Whether a waiting message may become an offer to the phone now, or an earlier deadline for its pace. */
  mayGetOffer(monoMs: number): boolean {
    if (!this.session?.synced || this.isPaused || this.reportsBusy || !this.hasFreeSlot) return false
    if (this.roomLeft <= 0) return false
    const readyAt = this.pacing.readyAt(1, monoMs)
    return readyAt <= monoMs || this.paceReadyAtMono === null || this.paceReadyAtMono > readyAt
  }

  /** Whether the phone was woken and did not fetch its messages in time. */
  isOverdue(monoMs: number): boolean {
    return this.wokenAtMono !== null && monoMs - this.wokenAtMono >= OFFER_LEASE_MS
  }

  queueFor(message: OpenMessage): MessageQueue {
    return message.pinned ? this.pinned : this.queue
  }

  /** Milliseconds until the pace of the phone would allow a message that joins its queue now. */
  expectedWaitMs(monoMs: number): number {
    return this.pacing.expectedWaitMs(this.queue.segments + this.pinned.segments, monoMs)
  }

  /**
   * Whether a message uses one of the phone's slots. A message that the phone began before its app
   * restarted, and no longer knows, uses none.
   */
  #takesSlot(flight: Flight): boolean {
    const { session } = this
    if (flight.isOverdue) return false
    if (!this.can.asksFirst || flight.session === session?.id) return true
    return flight.heardAt >= (session?.since ?? 0)
  }
}
