import { SENDING_SLOTS } from '#contracts/bounds.ts'
import type { Sim } from '#contracts/device-frames.ts'
import type { DeviceStatus } from '#contracts/primitives.ts'
import type { Pacing } from '#domain/device/pacing.ts'
import { MessageQueue, type OpenMessage } from '#domain/message/message-queue.ts'

/** A device as it stands in the database. Times are wall-clock milliseconds. */
export interface Device {
  readonly id: string
  readonly accountId: string
  readonly name: string
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
  /** What the last event said, so that a return within `offline_after_s` makes none. */
  readonly announcedOnline: boolean
  /** Messages sent on `sentDay` (whole days since 1970, UTC). */
  readonly sentDay: number
  readonly sentCount: number
}

/** Where a phone's socket is held: which listener thread, which of its sockets. */
export interface Connection {
  readonly listener: number
  /** Grows with time, across all listeners. */
  readonly socket: number
}

export interface Session {
  readonly id: string
  readonly connection: Connection
  /** Set once the phone's journal was read: only then is it offered work. */
  synced: boolean
  /** Monotonic; silence about messages being sent counts from here. */
  readonly since: number
}

/** A message that is offered to the phone or being sent by it. */
export interface Flight {
  readonly message: OpenMessage
  readonly attempt: number
  readonly session: string
  /** Monotonic. */
  readonly offeredAt: number
  /** Monotonic: the phone's last word about it. */
  heardAt: number
}

/** One paired phone in memory: its row, its socket, what waits for it and what it is sending. */
export class Phone {
  device: Device
  readonly pacing: Pacing
  session: Session | null = null
  /** The last one that it said `hello` on; of two the one with the higher socket was opened later. */
  newestConnection: Connection | null = null
  saysBusy = false
  /** Monotonic: the last time that it was heard. */
  heardAtMono: number
  lastSeenAt: number
  usedAtMono = 0
  /** Monotonic: when its pace lets it be offered more; null: it does not wait for that. */
  pumpAtMono: number | null = null
  /** Waits for this phone by choice; may move to another. */
  readonly queue = new MessageQueue()
  /** The caller named this phone. */
  readonly pinned = new MessageQueue()
  readonly flights = new Map<string, Flight>()

  constructor(device: Device, pacing: Pacing, monoMs: number) {
    this.device = device
    this.pacing = pacing
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

  /** What is sent by an earlier program of the phone, that this one knows nothing of, takes no slot. */
  get hasFreeSlot(): boolean {
    const { session } = this
    let taken = 0
    for (const flight of this.flights.values())
      if (flight.session === session?.id || flight.heardAt >= (session?.since ?? 0)) taken += 1
    return taken < SENDING_SLOTS
  }

  get status(): DeviceStatus {
    if (this.session === null) return 'offline'
    return this.saysBusy || !this.hasFreeSlot ? 'busy' : 'online'
  }

  /** A phone that dropped a moment ago still counts: it will be back before anybody notices. */
  isConnected(monoMs: number, offlineAfterMs: number): boolean {
    return (
      this.session !== null || (this.device.announcedOnline && monoMs - this.heardAtMono < offlineAfterMs)
    )
  }

  /** It may be given messages: connected, or gone for no more than a moment, and not paused. */
  canSendSoon(monoMs: number, offlineAfterMs: number): boolean {
    return !this.device.paused && this.isConnected(monoMs, offlineAfterMs)
  }

  queueFor(message: OpenMessage): MessageQueue {
    return message.pinned ? this.pinned : this.queue
  }

  /** Milliseconds until a message added now would leave. */
  expectedWaitMs(monoMs: number): number {
    return this.pacing.expectedWaitMs(this.queue.segments + this.pinned.segments, monoMs)
  }
}
