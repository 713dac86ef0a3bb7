import type { Device, Phone } from '#domain/device/phone.ts'
import { regionOf } from '#domain/phone-number/parse-phone-number.ts'
import { readWrittenNumber } from '#domain/phone-number/read-written-number.ts'
import type { World } from '#domain/world.ts'

/** The sender of a received text. */
export interface SenderNumber {
  /** E.164; null: it is no full number, for example a short code or a name. */
  readonly number: string | null
  /** As in `AcceptMessage`. */
  readonly country: string | null
  /** Whether it is the number of a phone of this account. */
  readonly isOwn: boolean
}

/** Reads who sent a text. A national number is read with the country of the SIM that received it. */
export function senderNumber(
  { fleet, settings }: World,
  phone: Phone,
  { from, simSlot }: { readonly from: string; readonly simSlot: number | null },
): SenderNumber {
  const { accountId, sims } = phone.device
  const sim = sims.find(({ slot }) => slot === simSlot) ?? (sims.length === 1 ? sims[0] : undefined)
  const read = readWrittenNumber(from, sim?.countryCode ?? settings.defaultCountry)
  if (typeof read === 'string') return { number: null, country: null, isOwn: false }
  const number = read.e164
  const isOwn = [...fleet.phonesOf(accountId)].some(({ device }) => hasNumber(device, number))
  return { number, country: regionOf(read), isOwn }
}

/** Whether it is the number of the phone, as its owner or a SIM of it says. */
export function hasNumber({ phoneNumber, sims }: Device, number: string): boolean {
  return (
    phoneNumber === number ||
    sims.some(one => one.phoneNumber !== null && e164Of(one.phoneNumber, one.countryCode ?? '') === number)
  )
}

/** The number of a SIM as the SIM knows it; null: it is no full number. */
export function e164Of(written: string, country: string): string | null {
  const read = readWrittenNumber(written, country)
  return typeof read === 'string' ? null : read.e164
}
