/** From which phone to which a drill goes, and what keeps it from beginning. */

import type { ProblemCode } from '#contracts/problem.ts'
import { type Sentence, sentence } from '#contracts/words.ts'
import type { Device, Phone } from '#domain/device/phone.ts'
import { type Drill, proofOf } from '#domain/drill/drill.ts'
import { e164Of } from '#domain/sending/sender-number.ts'
import type { World } from '#domain/world.ts'

export interface Hindrance {
  readonly code: Extract<ProblemCode, 'CONFLICT' | 'NO_DEVICE_AVAILABLE'>
  readonly words: string
}

export interface Way {
  readonly target: Phone
  readonly phoneNumber: string
}

const conflict = ({ english }: Sentence): Hindrance => ({ code: 'CONFLICT', words: english })

export const PHONE_AWAY: Hindrance = {
  code: 'NO_DEVICE_AVAILABLE',
  words: sentence('this phone is not connected').english,
}
export const PAUSED = conflict(sentence('this phone is paused'))
const UNDER_WAY = conflict(sentence('a drill of this phone is under way: wait until it ends'))
const PRETEND = conflict(sentence('this is a pretend phone: it sends no texts'))
const AT_CAP = conflict(sentence('this phone has reached its cap'))
const NOBODY_RECEIVES = conflict(sentence('no phone of the account hands in received texts'))
const NO_NUMBER = conflict(
  sentence('the number of the phone that should get the text is not known: write it down on its page'),
)
const NOT_PROVEN = conflict(
  sentence('the number of the phone that should get the text is not proven: prove it by hand first'),
)
export const TARGET_AWAY = conflict(sentence('the phone that should get the text is not connected'))

type Seen = Pick<World, 'fleet' | 'now' | 'settings' | 'drills'>

export function isHindrance(found: Way | Hindrance): found is Hindrance {
  return 'words' in found
}

export function isUnderWay({ messageId, outcome }: Drill): boolean {
  return messageId !== null && outcome === null
}

/** What keeps a phone from sending the text of a drill now; null: nothing. */
export function senderHindrance({ drills, now, settings }: Seen, phone: Phone): Hindrance | null {
  const { accountId, paused } = phone.device
  if (drills.open(accountId).some(one => one.deviceId === phone.id && isUnderWay(one))) return UNDER_WAY
  if (phone.isPretend) return PRETEND
  if (paused) return PAUSED
  if (!phone.hasRoomFor(1)) return AT_CAP
  return phone.isConnected(now.monoMs, settings.offlineAfterMs) ? null : PHONE_AWAY
}

/** The number of a phone: as its owner wrote it down, else as a SIM of it knows it. E.164; null: unknown. */
export function numberOf({ phoneNumber, sims }: Device): string | null {
  if (phoneNumber !== null) return phoneNumber
  for (const sim of sims) {
    const known = sim.phoneNumber === null ? null : e164Of(sim.phoneNumber, sim.countryCode ?? '')
    if (known !== null) return known
  }
  return null
}

/** Whether planned texts may go to its number: its SIM knows it, or a drill by hand to it came back. */
function isTrusted({ device }: Phone): boolean {
  return (
    device.phoneNumber === null ||
    proofOf(device).isNumberProven ||
    numberOf({ ...device, phoneNumber: null }) === device.phoneNumber
  )
}

/** The other phones of the account in the order of their pairing, from this one on and around. */
function ringFrom({ fleet }: Seen, phone: Phone): readonly Phone[] {
  const all = [...fleet.phonesOf(phone.device.accountId)].toSorted((a, b) => (a.id < b.id ? -1 : 1))
  const place = all.indexOf(phone)
  return [...all.slice(place + 1), ...all.slice(0, place)]
}

/**
 * The phone that gets the text, and its number: the one that the plan names, else the next of the ring, else
 * the phone itself. One that is away is taken only if there is no other.
 */
export function chooseWay(world: Seen, phone: Phone, isPlanned: boolean): Way | Hindrance {
  const named = world.fleet.phoneOf(phone.device.accountId, phone.device.drill?.to ?? '')
  const listeners = (named === undefined ? [...ringFrom(world, phone), phone] : [named]).filter(
    ({ receives, isPretend }) => receives && !isPretend,
  )
  if (listeners.length === 0) return NOBODY_RECEIVES
  const known = listeners.filter(({ device }) => numberOf(device) !== null)
  if (known.length === 0) return NO_NUMBER
  const others = known.filter(one => one !== phone)
  const asked = others.length > 0 ? others : known
  const usable = isPlanned ? asked.filter(isTrusted) : asked
  if (usable.length === 0) return NOT_PROVEN
  const target = usable.find(one => isThere(world, one))
  return target === undefined ? TARGET_AWAY : wayTo(target)
}

function isThere({ now, settings }: Seen, phone: Phone): boolean {
  return phone.isConnected(now.monoMs, settings.offlineAfterMs)
}

/** The same way again, for a repeat. */
export function wayAgain(world: Seen, toDeviceId: string | null): Way | Hindrance {
  const target = world.fleet.phones.get(toDeviceId ?? '')
  if (target === undefined || numberOf(target.device) === null) return NO_NUMBER
  if (!isTrusted(target)) return NOT_PROVEN
  return isThere(world, target) ? wayTo(target) : TARGET_AWAY
}

function wayTo(target: Phone): Way {
  return { target, phoneNumber: numberOf(target.device) ?? '' }
}

/** A third phone that can send and receive now, and so tell which half is broken. */
export function thirdPhone(world: Seen, phone: Phone, target: Phone): Phone | undefined {
  return ringFrom(world, target).find(
    one =>
      one !== phone &&
      one.receives &&
      numberOf(one.device) !== null &&
      isTrusted(one) &&
      senderHindrance(world, one) === null,
  )
}
