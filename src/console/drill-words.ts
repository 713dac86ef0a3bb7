/** What drills have shown of phones, in words. */
import { isPretend } from '#console/is-pretend.ts'
import { t, translated } from '#console/language.ts'
import { agoWords, spanWords } from '#console/time-words.ts'
import type { DeviceListItem } from '#contracts/device.ts'
import type { DrillPeriod, DrillResource } from '#contracts/drill.ts'
import { isProvenAt } from '#contracts/proven.ts'

type Tone = 'good' | 'bad' | 'wait' | 'dim'
type Proved = Pick<DeviceListItem, 'proven' | 'drill' | 'driver'>

/** Texts of a plan in a month, at most. */
export const TEXTS_A_MONTH: Readonly<Record<DrillPeriod, number>> = { day: 31, week: 5, month: 1 }

/** `Proven this morning: 2 phones, both ways, 7 s`. Null: nothing is proven now. */
export function provenWords(phones: readonly Proved[], now: number): string | null {
  const proven = phones.filter(phone => !isPretend(phone) && isProvenAt(phone.proven.sends, phone.drill, now))
  const times = proven.flatMap(({ proven: { sends } }) => (sends === null ? [] : [Date.parse(sends)]))
  if (times.length === 0) return null
  const tookMs = Math.max(...proven.map(phone => phone.proven.tookMs ?? 0))
  const said = {
    when: whenWords(Math.min(...times), now),
    count: proven.length,
    span: spanWords(tookMs),
  }
  if (proven.some(phone => phone.proven.receives === null))
    return t('Proven {when}: 1 phone sends.|Proven {when}: {count} phones send.', said)
  return tookMs === 0
    ? t('Proven {when}: 1 phone, both ways.|Proven {when}: {count} phones, both ways.', said)
    : t('Proven {when}: 1 phone, both ways, {span}.|Proven {when}: {count} phones, both ways, {span}.', said)
}

function whenWords(at: number, now: number): string {
  const isToday = new Date(at).toDateString() === new Date(now).toDateString()
  if (!isToday) return agoWords(at, now)
  return new Date(at).getHours() < 12 ? t('this morning') : t('today')
}

const OUTCOMES: Readonly<Record<NonNullable<DrillResource['outcome']>, readonly [string, Tone]>> = {
  proven: [t('Proven'), 'good'],
  not_sent: [t('Not sent'), 'bad'],
  sent_not_received: [t('Sent, not received'), 'bad'],
  late: [t('Late'), 'bad'],
  skipped: [t('Not done'), 'dim'],
}

export function outcomeOf({ outcome }: Pick<DrillResource, 'outcome'>): readonly [string, Tone] {
  return outcome === null ? [t('Under way'), 'wait'] : OUTCOMES[outcome]
}

/** How long it took, or why not. */
export function moreOf({ tookMs, reason }: Pick<DrillResource, 'tookMs' | 'reason'>): string {
  return [
    ...(tookMs === null ? [] : [spanWords(tookMs)]),
    ...(reason === null ? [] : [translated(reason)]),
  ].join(', ')
}
