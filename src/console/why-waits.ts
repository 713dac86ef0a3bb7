import { isPretend } from '#console/is-pretend.ts'
import { t, translated } from '#console/language.ts'
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
      why: t('No phone is paired, so the text waits until you add one.'),
      fix: t('An Android phone with a SIM card sends your texts.'),
      href: linkTo('devices/pair'),
      action: t('Add a phone'),
    }
  if (takers.some(canSend)) return null
  if (takers.length === 1)
    return { ...reasonOf(first), href: pageOf(first), action: t('Show {name}', { name: first.name }) }
  return {
    why: t('None of your {count} phones can send, so the text waits for the first that can.', {
      count: takers.length,
    }),
    fix: takers.slice(0, NAMED_MAX).map(shortReasonOf).join(' '),
    href: linkTo('devices'),
    action: t('Show the phones'),
  }
}

/** The same in a few words for a line of a list. */
export function waitsFor(phones: readonly Phone[], deviceId: string | null): string {
  const named = phones.filter(phone => phone.deviceId === deviceId)
  const takers = named.length > 0 ? named : phones
  const [first] = takers
  if (first === undefined) return t('no phone is paired')
  if (takers.some(canSend)) return t('waits its turn')
  if (takers.length > 1) return t('no phone can send')
  if (first.status === 'offline') return t('phone offline')
  return first.paused ? t('phone paused') : t('phone cannot send')
}

const NAMED_MAX = 3

function pageOf({ deviceId }: Phone): string {
  return linkTo(`devices/${deviceId}`)
}

function reasonOf({ name, status, paused, trouble, driver }: Phone): Pick<Waiting, 'why' | 'fix'> {
  if (status === 'offline')
    return {
      why: t('{name} is offline, so the text waits until a phone is back, or until it expires.', { name }),
      fix: isPretend({ driver })
        ? t('Its program does not run. Its page shows the command that starts it again.')
        : t('Switch {name} on, check its Wi-Fi, and see that the app runs on it.', { name }),
    }
  if (paused)
    return {
      why: t('{name} is paused, so the text waits.', { name }),
      fix: t('Resume {name} on its page.', { name }),
    }
  return {
    why: t('{name} cannot send now, so the text waits.', { name }),
    fix: t('About {name}: {trouble}.', { name, trouble: translated(trouble ?? '') }),
  }
}

function shortReasonOf({ name, status, paused, trouble }: Phone): string {
  if (status === 'offline') return t('{name} is offline.', { name })
  return paused
    ? t('{name} is paused.', { name })
    : t('{name} cannot send: {trouble}.', { name, trouble: translated(trouble ?? '') })
}

interface Remaining {
  /** There are more texts than were counted. */
  readonly hasMore: boolean
  readonly hasOthers: boolean
}

/** What happens to the texts that wait when a phone is removed. `count`: how many there are. */
export function removalWords(count: number, { hasMore, hasOthers }: Remaining): string {
  const undone = t('This cannot be undone.')
  if (count === 0) return undone
  const texts = waitingWords(count, hasMore)
  const then = hasOthers
    ? t('{texts} for this phone. Another phone sends what waits.', { texts })
    : t(
        '{texts} until you add another phone, or until it expires.|' +
          '{texts} until you add another phone, or until they expire.',
        { texts, count },
      )
  return [undone, then, t('Texts that only this phone may send will fail.')].join(' ')
}

function waitingWords(count: number, hasMore: boolean): string {
  return hasMore
    ? t('More than {count} texts wait', { count })
    : t('1 text waits|{count} texts wait', { count })
}

/** The waiting texts of an account without any phone. `hasMore`: there are more than were counted. */
export function strandedWords(count: number, hasMore: boolean): string {
  return t('{texts}, and there is no phone to send them.', { texts: waitingWords(count, hasMore) })
}

/** When a text leaves and what is before it, as a sentence. Null: there is nothing to tell. */
export function forecastWords(
  { waitsFor, before, leavesAt }: ForecastResource,
  phone: string,
  now: number,
): string | null {
  if (waitsFor === 'phone') return t('{phone} has it and sends it now.', { phone })
  if (leavesAt === null) return null
  const leftMs = Date.parse(leavesAt) - now
  const when = leftMs < 1_000 ? t('now') : t('in about {span}', { span: spanWords(leftMs) })
  if (waitsFor === 'retry') return t('The last try failed. It is tried again {when}.', { when })
  if (waitsFor !== 'turn' && waitsFor !== 'home-sim') return null
  const place =
    before === 0
      ? t('It is the next on {phone}.', { phone })
      : t('1 text is before it on {phone}.|{count} texts are before it on {phone}.', { count: before, phone })
  const leaves = t('It leaves {when}.', { when })
  const why = t('It is kept for this phone, whose SIM is of the recipient’s country.')
  return [place, leaves, ...(waitsFor === 'home-sim' ? [why] : [])].join(' ')
}
