/** The life of a text as a line: its stations, and what lies between them. */
import { t } from '#console/language.ts'
import { spanWords } from '#console/time-words.ts'
import { leavesInMs } from '#console/why-waits.ts'
import type { ForecastResource, MessageResource } from '#contracts/message.ts'

export type LineTone = 'wait' | 'accent' | 'good' | 'bad' | 'dim'

export interface Station {
  readonly word: string
  /** The phone of this station; null: none. */
  readonly phone: string | null
  /** ISO 8601; null: not known. */
  readonly at: string | null
  readonly tone: LineTone
  /** It is expected, and has not happened. */
  readonly isAhead: boolean
  /** What lies between this station and the next; null: it is the last. */
  readonly way: Way | null
}

interface Way {
  readonly words: string
  readonly tone: LineTone
  /** How long the way is drawn: the longer it took the longer, but a day is no thousand times a minute. */
  readonly weight: number
}

type Text = Pick<MessageResource, 'timeline' | 'status' | 'sendAt' | 'expiresAt' | 'deviceId'>
type Stop = Omit<Station, 'way'>
/** The name of a phone; null: not known. */
export type PhoneNames = (deviceId: string) => string | null

interface Known {
  readonly nameOf: PhoneNames
  /** When a queued text leaves; undefined: not known. */
  readonly forecast?: ForecastResource | undefined
  readonly now: number
}

/** The stations of a text, also those that are expected. */
export function stationsOf(text: Text, { nameOf, forecast, now }: Known): readonly Station[] {
  const stops = [...pastStops(text, nameOf), ...expectedStops(text, { nameOf, forecast, now })]
  return stops.map((stop, index) => {
    const next = stops[index + 1]
    return { ...stop, way: next === undefined ? null : wayOf([stop, next], forecast, now) }
  })
}

function pastStops({ timeline, sendAt }: Text, nameOf: PhoneNames): Stop[] {
  const tries = timeline.filter(({ status }) => status === 'sending').length
  let tried = 0
  return timeline.flatMap(({ status, at, deviceId }, index): Stop[] => {
    const stop = { at, phone: null, isAhead: false }
    if (status === 'queued' && index > 0) return [{ ...stop, word: t('The try failed'), tone: 'bad' }]
    if (status === 'queued') {
      const asked: Stop = { ...stop, word: t('Queued'), tone: 'dim' }
      const isLater = sendAt !== null && timeline.length > 1 && sendAt > at
      return isLater ? [asked, { ...stop, at: sendAt, word: t('Scheduled'), tone: 'dim' }] : [asked]
    }
    if (status === 'sending') {
      tried += 1
      const word = tries === 1 ? t('Sending') : t('Try {number}', { number: tried })
      return [{ ...stop, word, phone: deviceId === undefined ? null : nameOf(deviceId), tone: 'accent' }]
    }
    if (status === 'failed') return [{ ...stop, word: t('Failed'), tone: 'bad' }]
    return [{ ...stop, word: status === 'sent' ? t('Sent') : t('Delivered'), tone: 'good' }]
  })
}

function expectedStops(
  { status, sendAt, expiresAt, timeline, deviceId }: Text,
  { nameOf, forecast, now }: Known,
): Stop[] {
  const ahead = { phone: null, isAhead: true, tone: 'dim' } as const
  const sent: Stop = { ...ahead, word: t('Sent'), at: null }
  const delivered: Stop = { ...ahead, word: t('Delivered'), at: null }
  if (status === 'sending') return [sent, delivered]
  if (status !== 'queued') return []
  const isLater = sendAt !== null && sendAt > (timeline.at(-1)?.at ?? '')
  if (isLater) return [{ ...ahead, word: t('Leaves'), at: sendAt }]
  if (forecast?.leavesAt != null) {
    const phone = deviceId === null ? null : nameOf(deviceId)
    const at = leavesInMs(forecast, now) === null ? null : forecast.leavesAt
    return [{ ...ahead, word: t('Leaves'), phone, at }, sent, delivered]
  }
  return [{ ...ahead, word: t('Given up'), at: expiresAt }]
}

function wayOf([from, to]: readonly [Stop, Stop], forecast: ForecastResource | undefined, now: number): Way {
  const start = Date.parse(from.at ?? '')
  const end = to.at === null ? now : Date.parse(to.at)
  const ms = Math.max(0, end - start)
  const weight = Math.log10(10 + ms / 1_000)
  if (to.isAhead && from.isAhead) return { words: '', tone: 'dim', weight: 1 }
  const span = spanWords(ms)
  if (from.tone === 'accent') {
    const words = to.isAhead ? t('for {time}', { time: span }) : span
    return { words, tone: to.tone === 'bad' ? 'bad' : 'accent', weight }
  }
  if (from.tone === 'good') return { words: `+${span}`, tone: 'good', weight }
  if (!to.isAhead) return { words: t('waited {time}', { time: span }), tone: 'wait', weight }
  const time = spanWords(now - start)
  const before = forecast?.before ?? 0
  const words =
    before === 0
      ? t('waiting for {time}', { time })
      : t('waiting for {time}, {before} before it', { time, before })
  return { words, tone: 'wait', weight }
}
