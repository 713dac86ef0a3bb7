import { t } from '#console/language.ts'
import { linkTo } from '#console/route.ts'
import type { DayUsage } from '#contracts/day-usage.ts'

/** A number of the day: its word, its value, and the page that lists what was counted. */
export type Figure = readonly [word: string, count: number, href: string, tone: string]

/** The texts of a day. What follows the first figure adds up to it. */
export function textFigures({ accepted, delivered, sent, failed }: DayUsage): readonly Figure[] {
  const of = (cut = '') => linkTo('texts', { cut, q: t('today') })
  const waiting = accepted - delivered - sent - failed
  const figures: readonly Figure[] = [
    [t('asked'), accepted, of(), ''],
    [t('delivered'), delivered, of(), ''],
    [t('sent, no receipt'), sent, of(), ''],
    [t('failed'), failed, of('failed'), failed > 0 ? 'bad' : ''],
  ]
  return waiting > 0 ? [...figures, [t('on the way'), waiting, of('waiting'), '']] : figures
}
