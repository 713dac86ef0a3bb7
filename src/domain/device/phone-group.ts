import type { Phone } from '#domain/device/phone.ts'
import { MessageQueue } from '#domain/message/message-queue.ts'

/** A group of phones as stored in the database. Times are wall-clock milliseconds. */
export interface DeviceGroup {
  /** `dgr_…` */
  readonly id: string
  readonly accountId: string
  readonly name: string
  /** Ids of phones, each once. Empty once all of them were removed. */
  readonly devices: readonly string[]
  /** Whether any other phone sends when no phone of the group can. */
  readonly fallback: 'any' | 'none'
  readonly fallbackAfterMinutes: number
  /** Since when no phone of the group can send; null: one can. */
  readonly downSince: number | null
  readonly createdAt: number
}

/** A group of phones in memory. Its waiting messages are in one queue, from which its phones take. */
export class PhoneGroup {
  row: DeviceGroup
  readonly phones = new Set<Phone>()
  readonly queue = new MessageQueue()
  /** Monotonic time from which any phone may send. Null: only its own phones may. */
  openToAllAtMono: number | null = null

  constructor(row: DeviceGroup) {
    this.row = row
  }

  isOpenToAll(monoMs: number): boolean {
    return this.openToAllAtMono !== null && this.openToAllAtMono <= monoMs
  }
}
