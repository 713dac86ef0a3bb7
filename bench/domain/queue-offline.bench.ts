import type { Bench } from 'tinybench'
import { openWorld } from '#test/kit/test-phone.ts'

/** A send that stays in the queue, because no phone is connected: offering it must not check every phone. */
export function addTo(bench: Bench): void {
  for (const count of [10, 1_000, 10_000]) {
    const { send } = openWorld(count)
    bench.add(`a send that waits, ${count} phones offline`, () => void send())
  }
}
