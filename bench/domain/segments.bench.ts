import { SegmentedMessage } from 'sms-segments-calculator'
import type { Bench } from 'tinybench'
import { segmentsOf } from '#domain/message/segments.ts'

/** Measures `segmentsOf` on short and long texts, and the npm package with which the tests compare it. */
export function addTo(bench: Bench): void {
  const short = 'Backup of nas01 failed: disk full [sda1]'
  const gsm = short.repeat(40)
  const ucs2 = `${gsm.slice(0, 1598)}😀`
  bench.add('segments: 40 GSM characters', () => {
    segmentsOf(short)
  })
  bench.add('segments: 1,600 GSM characters', () => {
    segmentsOf(gsm)
  })
  bench.add('segments: 1,600 units, an emoji last', () => {
    segmentsOf(ucs2)
  })
  bench.add('segments: 1,600 GSM characters, sms-segments-calculator', () => {
    new SegmentedMessage(gsm)
  })
}
