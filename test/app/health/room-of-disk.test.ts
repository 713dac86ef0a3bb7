import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HEALTH_CHECK_EVERY_MS, HealthWatch } from '#app/health/health-watch.ts'
import type { Writer } from '#contracts/commands.ts'
import { CONFIG_DEFAULTS } from '#contracts/config.ts'
import type { MachineFacts } from '#contracts/health.ts'
import { HandClock } from '#test/kit/hand-clock.ts'
import { nextTurn } from '#test/kit/next-turn.ts'
import { smallDisk, smallDiskMissing } from '#test/kit/small-disk.ts'

test('each check reports the room that the disk has now', { skip: smallDiskMissing() }, async t => {
  const { here, fill } = await smallDisk(t, '4m')
  const clock = new HandClock()
  const free: (number | undefined)[] = []
  const writer = {
    async ask(_name: string, facts: MachineFacts) {
      free.push(facts.disk?.freeBytes)
      return null
    },
  } as unknown as Writer
  const watch = new HealthWatch({
    config: { ...CONFIG_DEFAULTS, data_dir: here },
    writer,
    backups: { failure: null, onChange: () => undefined },
    checks: { damage: null, onChange: () => undefined },
    cluster: null,
    monoMs: () => clock.monotonicMs(),
    after: (run, ms) => clock.after(ms, run),
  })
  watch.start()
  await nextTurn()
  fill()
  clock.advance(HEALTH_CHECK_EVERY_MS)
  await nextTurn()
  watch.stop()
  assert.ok((free[0] ?? 0) > 1_000_000)
  assert.equal(free[1], 0)
})
