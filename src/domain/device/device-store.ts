import type { Device } from '#domain/device/phone.ts'
import type { Tx } from '#domain/tx.ts'

/** A one-time code with which a phone becomes a device of the account. */
export interface Pairing {
  readonly accountId: string
  readonly name: string | null
  /** Wall clock. */
  readonly expiresAt: number
}

export interface DeviceStore {
  insert(tx: Tx, device: Device, tokenHash: Uint8Array): void
  save(tx: Tx, device: Device): void
  /** Notes a change of the device that its row does not show, for open console pages. Writes nothing. */
  noteChange(device: Device): void
  /** Replaces the device's token. The old one is no longer valid. */
  renewToken(tx: Tx, deviceId: string, tokenHash: Uint8Array): void
  /** Marks the device as removed: its token is no longer valid. Retention deletes the row later. */
  remove(tx: Tx, deviceId: string, at: number): void
  insertPairing(tx: Tx, codeHash: Uint8Array, pairing: Pairing): void
  findPairing(tx: Tx, codeHash: Uint8Array): Pairing | undefined
  deletePairing(tx: Tx, codeHash: Uint8Array): void
  /** Deletes all expired codes, and returns how many codes of the account are open. `now`: wall clock. */
  countOpenPairings(tx: Tx, accountId: string, now: number): number
}
