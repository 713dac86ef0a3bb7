import { isPretend } from '#console/is-pretend.ts'
import { t, translated } from '#console/language.ts'
import { linkTo } from '#console/route.ts'
import { dayStartWords, spanWords } from '#console/time-words.ts'
import type { DeviceListItem } from '#contracts/device.ts'
import type { ForecastResource, MessageResource } from '#contracts/message.ts'
import { isReceiveTrouble } from '#contracts/phone-orders.ts'

/** Why a text waits, what to do about it, and the page on which to do it. */
export interface Waiting {
  readonly why: string
  readonly fix: string
  readonly href: string
  readonly action: string
}

type Caps = Pick<DeviceListItem, 'segmentsToday' | 'smsPerDayMax' | 'smsThisMonth' | 'smsPerMonthMax'>
type Able = Pick<DeviceListItem, 'status' | 'paused' | 'trouble'> & Caps
type Phone = Pick<DeviceListItem, 'deviceId' | 'name' | 'driver'> & Able

/** Whether the phone sends texts now. */
export function canSend(phone: Able): boolean {
  const { status, paused, trouble } = phone
  const isAble = trouble === null || isReceiveTrouble(trouble)
  return status !== 'offline' && !paused && isAble && capReached(phone) === null
}

/** The cap of its SIM that the phone has reached; null: none. */
export function capReached(caps: Caps): 'day' | 'month' | null {
  const { segmentsToday, smsPerDayMax, smsThisMonth, smsPerMonthMax } = caps
  if (smsPerDayMax !== null && segmentsToday >= smsPerDayMax) return 'day'
  return smsPerMonthMax !== null && smsThisMonth >= smsPerMonthMax ? 'month' : null
}

/** Why the phone does not send, in the same words on every page: `Kitchen is offline`. */
export function stateWords(phone: Omit<Phone, 'deviceId' | 'driver'>): string {
  const { name, status, paused, trouble, smsPerDayMax, smsPerMonthMax } = phone
  if (status === 'offline') return t('{name} is offline', { name })
  if (paused) return t('{name} is paused', { name })
  if (trouble !== null && !isReceiveTrouble(trouble))
    return t('{name} cannot send: {trouble}', { name, trouble: translated(trouble) })
  return capReached(phone) === 'day'
    ? t('{name} has sent its {max} SMS of today', { name, max: smsPerDayMax })
    : t('{name} has sent its {max} SMS of this month', { name, max: smsPerMonthMax })
}

/** The phones that may send a text. @param deviceId the only one that may; null: any of them */
function takersOf<T extends Phone>(phones: readonly T[], deviceId: string | null): readonly T[] {
  const named = phones.filter(phone => phone.deviceId === deviceId)
  return named.length > 0 ? named : phones
}

/** Why a text for these phones waits. Null: a phone can send it now. */
export function whyWaits(phones: readonly Phone[], deviceId: string | null): Waiting | null {
  const takers = takersOf(phones, deviceId)
  const [first] = takers
  if (first === undefined)
    return {
      why: t('no phone is paired'),
      fix: t('An Android phone with a SIM card sends your texts.'),
      href: linkTo('devices/pair'),
      action: t('Add a phone'),
    }
  if (takers.some(canSend)) return null
  if (takers.length === 1)
    return {
      why: stateWords(first),
      fix: fixOf(first),
      href: linkTo(`devices/${first.deviceId}`),
      action: t('Show {name}', { name: first.name }),
    }
  return {
    why: t('none of your {count} phones can send', { count: takers.length }),
    fix: `${takers.slice(0, NAMED_MAX).map(stateWords).join(', ')}.`,
    href: linkTo('devices'),
    action: t('Show the phones'),
  }
}

/** Why this text waits, in the same words on every page. */
export function waitWords(
  { deviceId, timeline }: Pick<MessageResource, 'deviceId' | 'timeline'>,
  phones: readonly Phone[],
): string {
  const waiting = whyWaits(phones, deviceId)
  if (waiting !== null) return waiting.why
  if (timeline.length > 1) return t('the last try failed, so it is tried again')
  const [phone, ...others] = takersOf(phones, deviceId)
  return phone === undefined || others.length > 0
    ? t('it is not its turn yet')
    : t('it is not its turn on {name} yet', { name: phone.name })
}

const NAMED_MAX = 3

/** What to do about it. */
export function fixOf(phone: Phone): string {
  const { name, status, paused, driver } = phone
  if (status === 'offline')
    return isPretend({ driver })
      ? t('Its program does not run. Its page shows the command that starts it again.')
      : t('Switch {name} on, check its Wi-Fi, and see that the app runs on it.', { name })
  if (paused) return t('Resume {name} on its page.', { name })
  const cap = capReached(phone)
  if (cap === null) return t('Fix that on {name}, or connect another phone.', { name })
  return cap === 'day'
    ? t('It sends again from {time} on. Its page has the cap.', { time: dayStartWords(Date.now()) })
    : t('It sends again when its month begins. Its page has the cap.')
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
  if (waitsFor === 'retry') return t('It is tried again {when}.', { when })
  if (waitsFor !== 'turn' && waitsFor !== 'home-sim') return null
  const place =
    before === 0
      ? t('It is the next on {phone}.', { phone })
      : t('1 text is before it on {phone}.|{count} texts are before it on {phone}.', { count: before, phone })
  const leaves = t('It leaves {when}.', { when })
  const why = t('It is kept for this phone, whose SIM is of the recipient’s country.')
  return [place, leaves, ...(waitsFor === 'home-sim' ? [why] : [])].join(' ')
}
