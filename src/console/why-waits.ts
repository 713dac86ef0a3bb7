import { isPretend } from '#console/is-pretend.ts'
import { linkTo } from '#console/route.ts'
import { spanWords } from '#console/time-words.ts'
import type { DeviceListItem } from '#contracts/device.ts'
import type { ForecastResource } from '#contracts/message.ts'
import { isReceiveTrouble } from '#contracts/phone-orders.ts'

/** Why a text waits, what to do about it, and the page on which to do it. */
export interface Waiting {
  readonly why: string
  readonly fix: string
  readonly href: string
  readonly action: string
}

type Phone = Pick<DeviceListItem, 'deviceId' | 'name' | 'status' | 'paused' | 'trouble' | 'driver'>

/** Whether the phone sends texts now. */
export function canSend({ status, paused, trouble }: Pick<Phone, 'status' | 'paused' | 'trouble'>): boolean {
  return status !== 'offline' && !paused && (trouble === null || isReceiveTrouble(trouble))
}

/**
 * Why a text for these phones waits. Null: a phone can send it now.
 *
 * @param deviceId the only phone that may send it; null: any of them
 */
export function whyWaits(phones: readonly Phone[], deviceId: string | null): Waiting | null {
  const named = phones.filter(phone => phone.deviceId === deviceId)
  const takers = named.length > 0 ? named : phones
  const [first] = takers
  if (first === undefined)
    return {
      why: 'No phone is paired, so the text waits until you add one.',
      fix: 'An Android phone with a SIM card sends your texts.',
      href: linkTo('devices/pair'),
      action: 'Add a phone',
    }
  if (takers.some(canSend)) return null
  if (takers.length === 1) return { ...reasonOf(first), href: pageOf(first), action: `Show ${first.name}` }
  return {
    why: `None of your ${takers.length} phones can send, so the text waits for the first that can.`,
    fix: takers.slice(0, NAMED_MAX).map(shortReasonOf).join(' '),
    href: linkTo('devices'),
    action: 'Show the phones',
  }
}

/** The same in a few words for a line of a list. */
export function waitsFor(phones: readonly Phone[], deviceId: string | null): string {
  const named = phones.filter(phone => phone.deviceId === deviceId)
  const takers = named.length > 0 ? named : phones
  const [first] = takers
  if (first === undefined) return 'no phone is paired'
  if (takers.some(canSend)) return 'waits its turn'
  if (takers.length > 1) return 'no phone can send'
  if (first.status === 'offline') return 'phone offline'
  return first.paused ? 'phone paused' : 'phone cannot send'
}

const NAMED_MAX = 3

function pageOf({ deviceId }: Phone): string {
  return linkTo(`devices/${deviceId}`)
}

function reasonOf({ name, status, paused, trouble, driver }: Phone): Pick<Waiting, 'why' | 'fix'> {
  if (status === 'offline')
    return {
      why: `${name} is offline, so the text waits until a phone is back, or until it expires.`,
      fix: isPretend({ driver })
        ? 'Its program does not run. Its page shows the command that starts it again.'
        : `Switch ${name} on, check its Wi-Fi, and see that the app runs on it.`,
    }
  if (paused) return { why: `${name} is paused, so the text waits.`, fix: `Resume ${name} on its page.` }
  return { why: `${name} cannot send now, so the text waits.`, fix: `About ${name}: ${trouble}.` }
}

function shortReasonOf({ name, status, paused, trouble }: Phone): string {
  if (status === 'offline') return `${name} is offline.`
  return paused ? `${name} is paused.` : `${name} cannot send: ${trouble}.`
}

interface Remaining {
  /** There are more texts than were counted. */
  readonly hasMore: boolean
  readonly hasOthers: boolean
}

/** What happens to the texts that wait when a phone is removed. `count`: how many there are. */
export function removalWords(count: number, { hasMore, hasOthers }: Remaining): string {
  if (count === 0) return 'This cannot be undone.'
  const texts = count === 1 ? '1 text waits' : `${hasMore ? `More than ${count}` : count} texts wait`
  const then = hasOthers
    ? `${texts} for this phone. Another phone sends what waits.`
    : `${texts} until you add another phone, or until ${count === 1 ? 'it expires' : 'they expire'}.`
  return `This cannot be undone. ${then} Texts that only this phone may send will fail.`
}

/** The waiting texts of an account without any phone. `hasMore`: there are more than were counted. */
export function strandedWords(count: number, hasMore: boolean): string {
  if (count === 1 && !hasMore) return '1 text waits, and there is no phone to send it.'
  return `${hasMore ? `More than ${count}` : count} texts wait, and there is no phone to send them.`
}

/** When a text leaves and what is before it, as a sentence. Null: there is nothing to tell. */
export function forecastWords(
  { waitsFor, before, leavesAt }: ForecastResource,
  phone: string,
  now: number,
): string | null {
  if (waitsFor === 'phone') return `${phone} has it and sends it now.`
  if (leavesAt === null) return null
  const leftMs = Date.parse(leavesAt) - now
  const when = leftMs < 1_000 ? 'now' : `in about ${spanWords(leftMs)}`
  if (waitsFor === 'retry') return `The last try failed. It is tried again ${when}.`
  if (waitsFor !== 'turn' && waitsFor !== 'home-sim') return null
  const place =
    before === 0 ? 'It is the next' : `${before === 1 ? '1 text is' : `${before} texts are`} before it`
  const why =
    waitsFor === 'home-sim' ? ' It is kept for this phone, whose SIM is of the recipient’s country.' : ''
  return `${place} on ${phone}. It leaves ${when}.${why}`
}
