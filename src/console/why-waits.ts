import { isPretend } from '#console/is-pretend.ts'
import { t, translated } from '#console/language.ts'
import { linkTo } from '#console/route.ts'
import { dayStartWords, momentWords, spanWords } from '#console/time-words.ts'
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
type Phone = Pick<DeviceListItem, 'deviceId' | 'name' | 'driver' | 'lastSeen'> & Able

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

/** Why the phone does not send, in the same words on every page: `Kitchen is offline since 14:02`. */
export function stateWords(phone: Omit<Phone, 'deviceId' | 'driver'>): string {
  const { name, status, paused, trouble, smsPerDayMax, smsPerMonthMax } = phone
  if (status === 'offline')
    return t('{name} is offline since {time}', { name, time: momentWords(phone.lastSeen) })
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

/** A text as far as it matters why it waits. */
export type Text = Pick<MessageResource, 'deviceId' | 'sendAt'> & {
  readonly timeline: readonly Pick<MessageResource['timeline'][number], 'status' | 'at'>[]
  /** Where the page has asked for it. */
  readonly forecast?: ForecastResource | undefined
}
export type Queueing = Phone & Pick<DeviceListItem, 'queueLength' | 'segmentsPerMinute'>

/** Whether the text is kept until its time. */
export function isScheduled({ sendAt }: Pick<MessageResource, 'sendAt'>, now: number): boolean {
  return Date.parse(sendAt ?? '') > now
}

/** Whether the text waits in the queue of a phone for the first time. */
export function isInQueue(text: Text & Pick<MessageResource, 'status'>, now: number): boolean {
  return text.status === 'queued' && text.timeline.length === 1 && !isScheduled(text, now)
}

/** A phone that is online fetches the next text sooner. Roost then gives it to another that can send. */
const FETCH_MS_MAX = 60_000

interface NotFetched {
  /** The phone that has it now; null: any phone may fetch it. */
  readonly phone: Queueing | null
  readonly forMs: number
  /** Other phones had the time to fetch it, too. */
  readonly hadOthers: boolean
}

/** The phones that can send the text, and how many texts are before it. */
function turnOf(text: Text, phones: readonly Queueing[]) {
  const able = takersOf(phones, text.deviceId).filter(canSend)
  const before = text.forecast?.before ?? Math.min(...able.map(({ queueLength }) => queueLength)) - 1
  return { able, before }
}

/** When the text began to wait, ms. */
export function waitsSince({ timeline, sendAt }: Pick<Text, 'timeline' | 'sendAt'>): number {
  return Math.max(Date.parse(sendAt ?? '') || 0, Date.parse(timeline[0]?.at ?? ''))
}

/**
 * Who does not fetch the text although nothing is before it; null: its turn or its next try is still to come.
 * The pace of a phone may keep the text for a while.
 */
export function notFetched(text: Text, phones: readonly Queueing[], now: number): NotFetched | null {
  const { able, before } = turnOf(text, phones)
  const [phone, ...others] = able
  if (phone === undefined || text.timeline.length > 1) return null
  if (before > 0 || leavesInMs(text.forecast, now) !== null) return null
  const forMs = now - waitsSince(text)
  if (forMs <= FETCH_MS_MAX + 60_000 / phone.segmentsPerMinute) return null
  const hadOthers = phones.some(one => one !== phone && canSend(one))
  return { phone: others.length > 0 ? null : phone, forMs, hadOthers }
}

/** For how long nobody has fetched a text, without a full stop. `count`: how many texts wait. */
export function notFetchedWords({ phone, forMs, hadOthers }: NotFetched, count = 1): string {
  const span = spanWords(forMs)
  const name = phone?.name
  if (name !== undefined && !hadOthers && count === 1)
    return t('Has waited {span}: {name} has not fetched it', { name, span })
  const none = t('No phone has fetched it for {span}|No phone has fetched the oldest for {span}', {
    count,
    span,
  })
  return name === undefined || !hadOthers ? none : t('{none}; {name} is asked now', { none, name })
}

/** What a queued text waits for: the same sentence on every page, without a full stop. */
export function waitWords(text: Text, phones: readonly Queueing[], now: number): string {
  const { deviceId, timeline, sendAt } = text
  if (isScheduled(text, now)) return t('Waits until {time}', { time: momentWords(sendAt ?? '') })
  const waiting = whyWaits(phones, deviceId)
  if (waiting !== null) return t('Waits for a phone: {why}', { why: waiting.why })
  if (timeline.length > 1) return t('Waits for its next try, because the last one failed')
  const slow = notFetched(text, phones, now)
  if (slow !== null) return notFetchedWords(slow)
  const { able, before } = turnOf(text, phones)
  const name = able.length === 1 ? able[0]?.name : undefined
  if (name === undefined) return before > 0 ? t('Waits for its turn') : t('A phone fetches it next')
  return before > 0 ? t('Waits for its turn on {name}', { name }) : t('{name} fetches it next', { name })
}

/** The same for a line of a list: with how many texts are before it, where that is known. */
export function placeWords(text: Text, phones: readonly Queueing[], now: number): string {
  const { waitsFor, before: count = 0, deviceId } = text.forecast ?? {}
  const phone = phones.find(one => one.deviceId === deviceId)?.name
  const isInTurn = waitsFor === 'turn' || waitsFor === 'home-sim'
  if (!isInTurn || count === 0 || phone === undefined) return waitWords(text, phones, now)
  const leftMs = leavesInMs(text.forecast, now)
  if (leftMs === null) return t('{count} before it on {phone}', { count, phone })
  return t('{count} before it on {phone}, about {span}', { count, phone, span: spanWords(leftMs) })
}

/** Why this text waits, where somebody can do something about it. Null: it only waits for its turn. */
export function whyTextWaits(text: Text, phones: readonly Queueing[], now: number): Waiting | null {
  if (isScheduled(text, now)) return null
  const waiting = whyWaits(phones, text.deviceId)
  const slow = notFetched(text, phones, now)
  if (waiting !== null || slow === null) return waiting
  const { phone, hadOthers } = slow
  if (phone === null)
    return {
      why: t('no phone fetches it'),
      fix: t('Nothing is before it, and phones are online: open the app on one of them.'),
      href: linkTo('devices'),
      action: t('Show the phones'),
    }
  const { name, deviceId } = phone
  return {
    why: hadOthers ? t('no phone fetches it') : t('{name} does not fetch it', { name }),
    fix: t(
      'Nothing is before it, and {name} is online: open the app on it, and let it run in the background.',
      { name },
    ),
    href: linkTo(`devices/${deviceId}`),
    action: t('Show {name}', { name }),
  }
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

/** A time that is nearer than this, or over, tells nothing: what the text waits for is shown without it. */
const SOON_MS = 3_000

/** When a waiting text leaves, in milliseconds from now. Null: nobody can tell, or that time is over. */
export function leavesInMs(forecast: ForecastResource | undefined, now: number): number | null {
  if (forecast?.leavesAt == null) return null
  const ms = Date.parse(forecast.leavesAt) - now
  return ms < SOON_MS ? null : ms
}

/** What is before a waiting text and when it leaves, in sentences; empty: there is nothing to tell. */
export function forecastWords(forecast: ForecastResource | undefined, phone: string, now: number): string {
  if (forecast === undefined) return ''
  const { waitsFor, before: count } = forecast
  const leftMs = leavesInMs(forecast, now)
  const span = spanWords(leftMs ?? 0)
  if (waitsFor === 'phone') return t('Nothing is before it: {phone} fetches it now.', { phone })
  if (waitsFor === 'retry') return leftMs === null ? '' : t('It is tried again in about {span}.', { span })
  if (waitsFor !== 'turn' && waitsFor !== 'home-sim') return ''
  const parts = [
    count === 0
      ? t('It is the next on {phone}.', { phone })
      : t('1 text is before it on {phone}.|{count} texts are before it on {phone}.', { count, phone }),
    leftMs !== null && t('It leaves in about {span}.', { span }),
    waitsFor === 'home-sim' && t('It is kept for this phone, whose SIM is of the recipient’s country.'),
  ]
  return parts.filter(part => part !== false).join(' ')
}
