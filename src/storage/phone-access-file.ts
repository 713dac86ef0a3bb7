/**
 * Addresses and credentials of the phones that the gateway connects to. Each phone has a file in `secrets/`,
 * so that no password is in the database.
 */
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'
import type { DataDirectory } from '#storage/data-directory.ts'
import { replaceSecret } from '#storage/secret-file.ts'

const NAME = /^phone-(?<deviceId>dev_[0-9A-Z]{26})$/

const PhoneAccess = v.object({
  url: v.string(),
  username: v.string(),
  password: v.string(),
  /** The app's own id of the phone. */
  phoneId: v.string(),
  /** The device token with which the phone's agent connects to the gateway. */
  token: v.string(),
  /** The app CallGate on the same phone. Left out: the phone cannot call. */
  ringer: v.optional(v.object({ url: v.string(), username: v.string(), password: v.string() })),
})
export type StoredPhoneAccess = v.InferOutput<typeof PhoneAccess>

const ModemAccess = v.object({
  imei: v.string(),
  pin: v.nullable(v.string()),
  /** The number of the SIM. Null: it was not known when the modem was added. */
  sim: v.nullable(v.string()),
  token: v.string(),
})
export type StoredModemAccess = v.InferOutput<typeof ModemAccess>
export type StoredAccess = StoredPhoneAccess | StoredModemAccess

/** Saves the access data. The file is synced to the disk when this returns. */
export function savePhoneAccess(directory: DataDirectory, deviceId: string, access: StoredAccess): void {
  replaceSecret(fileOf(directory, deviceId), Buffer.from(JSON.stringify(access)))
}

/** Reads the access data of a phone; null: the file is missing or invalid, or the device is a modem. */
export function readPhoneAccess(directory: DataDirectory, deviceId: string): StoredPhoneAccess | null {
  const access = readAccess(directory, deviceId)
  return access !== null && 'url' in access ? access : null
}

/** Reads the access data of a modem; null: the file is missing or invalid, or the device is no modem. */
export function readModemAccess(directory: DataDirectory, deviceId: string): StoredModemAccess | null {
  const access = readAccess(directory, deviceId)
  return access !== null && 'imei' in access ? access : null
}

/** Reads the access data of a device; null: the file is missing or invalid. */
export function readAccess(directory: DataDirectory, deviceId: string): StoredAccess | null {
  try {
    const read = v.safeParse(
      v.union([PhoneAccess, ModemAccess]),
      JSON.parse(readFileSync(fileOf(directory, deviceId), 'utf8')),
    )
    return read.success ? read.output : null
  } catch {
    return null
  }
}

export function removePhoneAccess(directory: DataDirectory, deviceId: string): void {
  rmSync(fileOf(directory, deviceId), { force: true })
}

/** The ids of all devices with an access file. */
export function phonesWithAccess({ secrets }: DataDirectory): string[] {
  try {
    return readdirSync(secrets).flatMap(name => NAME.exec(name)?.groups?.['deviceId'] ?? [])
  } catch {
    return []
  }
}

function fileOf({ secrets }: DataDirectory, deviceId: string): string {
  return join(secrets, `phone-${deviceId}`)
}
