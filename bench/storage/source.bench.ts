import type { Bench } from 'tinybench'
import { systemSource } from '#storage/source.ts'

/** Makes identifiers as the writer does: many within one millisecond. */
export function addTo(bench: Bench): void {
  const source = systemSource(new Uint8Array(32))
  bench.add('ids: one ULID', () => {
    source.id('msg_', Date.now())
  })
  bench.add('ids: one API key with its checksum', () => {
    source.secret('sk_live_')
  })
}
