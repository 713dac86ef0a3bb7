import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { LanguageTag } from '#contracts/words.ts'
import { languageOf } from '#domain/language.ts'
import { readDay } from '#domain/texts/read-day.ts'

const timeZone = 'Europe/Berlin'
/** A Sunday in winter, 03:12 in Berlin. */
const NOW = Date.parse('2026-11-29T02:12:00Z')

/** Since, until and the other words; times of Berlin in winter. */
function read(typed: string, tag: LanguageTag = 'en', wallMs = NOW) {
  const found = readDay(typed, { language: languageOf(tag), timeZone, wallMs })
  if (found === null) return null
  const local = (at: number) => new Date(at + 3_600_000).toISOString().slice(0, 16).replace('T', ' ')
  return `${local(found.since)} – ${local(found.until)} ${found.rest}`.trim()
}
const day = (date: string, rest = '') => `2026-${date} 00:00 – 2026-${date} 23:59 ${rest}`.trim()
const NIGHT = '2026-11-28 20:00 – 2026-11-29 07:59'

for (const [typed, tag, wanted] of [
  ['last night', 'en', NIGHT],
  ['letzte Nacht', 'de', NIGHT],
  ['LAST NIGHT', 'de', NIGHT],
  ['heute Nacht', 'de', NIGHT],
  ['today', 'en', day('11-29')],
  ['heute', 'de', day('11-29')],
  ['yesterday backup', 'en', day('11-28', 'backup')],
  ['Ada gestern Dinner', 'de', day('11-28', 'Ada Dinner')],
  ['gestern Abend', 'de', '2026-11-28 18:00 – 2026-11-28 23:59'],
  ['vorgestern', 'de', day('11-27')],
  ['the day before yesterday', 'en', day('11-27')],
  ['3 days ago', 'en', day('11-26')],
  ['vor 3 Tagen', 'de', day('11-26')],
  ['Tuesday', 'en', day('11-24')],
  ['Dienstag', 'de', day('11-24')],
  ['Sunday', 'en', day('11-29')],
  ['last Sunday', 'en', day('11-22')],
  ['Ada last Tuesday', 'en', day('11-24', 'Ada')],
  ['Ada letzten Dienstag', 'de', day('11-24', 'Ada')],
  ['on Tuesday, Ada', 'en', day('11-24', 'Ada')],
  ['am Dienstag', 'de', day('11-24')],
  ['this week', 'en', '2026-11-23 00:00 – 2026-11-29 23:59'],
  ['letzte Woche', 'de', '2026-11-16 00:00 – 2026-11-22 23:59'],
  ['2026-11-24', 'en', day('11-24')],
  ['24.11.', 'de', day('11-24')],
  ['am 24.11.2026', 'de', day('11-24')],
  ['24 Nov disk', 'en', day('11-24', 'disk')],
  ['November 24', 'en', day('11-24')],
  ['24. November 2026', 'de', day('11-24')],
  ['3. März 2026', 'de', day('03-03')],
  ['1 Dec', 'en', '2025-12-01 00:00 – 2025-12-01 23:59'],
  ['29 Feb', 'en', '2024-02-29 00:00 – 2024-02-29 23:59'],
] as const)
  test(`"${typed}" names a day`, () => assert.equal(read(typed, tag), wanted))

for (const typed of [
  '',
  'disk full',
  'may',
  'Mon',
  'night',
  '24.11',
  '31.2.2026',
  '2026-13-01',
  '+4917600001',
])
  test(`"${typed}" names no day`, () => assert.equal(read(typed), null))

test('a day on which the clocks change has its own length, and a day begins where its reader is', () => {
  const found = readDay('2026-10-25', { language: languageOf('en'), timeZone, wallMs: NOW })
  assert.equal(((found?.until ?? 0) + 1 - (found?.since ?? 0)) / 3_600_000, 25)
  const tokyo = readDay('today', { language: languageOf('en'), timeZone: 'Asia/Tokyo', wallMs: NOW })
  assert.equal(tokyo?.since, Date.parse('2026-11-28T15:00:00Z'))
})
