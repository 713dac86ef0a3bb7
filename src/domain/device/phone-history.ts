import type { PhoneHalfHour } from '#contracts/device-history.ts'
import type { Device } from '#domain/device/phone.ts'
import type { Tx } from '#domain/tx.ts'

export const HALF_HOUR_MS = 1_800_000

/** A half-hour of a phone, as it is stored. */
export interface HalfHourRow
  extends Pick<PhoneHalfHour, 'battery' | 'charging' | 'signal' | 'offlineMinutes' | 'sent' | 'failed'> {
  /** Half-hours since 1970, UTC. */
  readonly halfHour: number
}

export interface PhoneHistoryStore {
  /** Stores a half-hour of the phone, in place of an earlier row for it. */
  save(tx: Tx, device: Pick<Device, 'id' | 'accountId'>, row: HalfHourRow): void
}

/** The half-hours of a phone since the given one, oldest first. Undefined: the account has no such phone. */
export type PhoneHistoryReader = (
  accountId: string,
  deviceId: string,
  since: number,
) => readonly HalfHourRow[] | undefined

/** The half-hour that contains this wall-clock time. */
export function halfHourOf(wallMs: number): number {
  return Math.floor(wallMs / HALF_HOUR_MS)
}
