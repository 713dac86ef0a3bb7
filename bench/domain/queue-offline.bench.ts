import type { Bench } from 'tinybench'
import { openWorld } from '#test/kit/test-phone.ts'

/**
 * Measures a send while no phone is connected. The send waits, and must not make the gateway check every
 * phone.
 */
export function addTo(bench: Bench): void {
  for (const count of [10, 1_000, 10_000]) {
    const { send } = openWorld(count)
    bench.add(`a send that waits, ${count} phones offline`, () => void send())
  }
}
