import assert from 'node:assert/strict'
import { existsSync, rmSync, truncateSync, utimesSync, writeFileSync } from 'node:fs'
import { type TestContext, test } from 'node:test'
import { DatabaseChecks } from '#app/threads/database-checks.ts'
import { CONFIG_DEFAULTS } from '#contracts/config.ts'
import { DAY_MS } from '#domain/time.ts'
import { dataDirectory } from '#storage/data-directory.ts'
import { DatabaseDamaged } from '#storage/sqlite-fault.ts'
import { HandClock } from '#test/kit/hand-clock.ts'
import { nextTurn } from '#test/kit/next-turn.ts'
import { temporaryDirectory } from '#test/kit/temporary-directory.ts'

/** Checks on the manual clock, of a database that was last checked some days ago. */
function checks(t: TestContext, { daysAgo, bytes }: { daysAgo: number; bytes: number }) {
  const directory = dataDirectory(temporaryDirectory(t))
  const clock = new HandClock()
  const world = { ran: 0, changes: 0, fault: null as Error | null }
  writeFileSync(directory.database, '')
  truncateSync(directory.database, bytes)
  const mark = () => {
    writeFileSync(directory.databaseChecked, '')
    const at = new Date(clock.wallMs() - daysAgo * DAY_MS)
    utimesSync(directory.databaseChecked, at, at)
  }
  mark()
  const log: string[] = []
  const made = new DatabaseChecks({
    config: { ...CONFIG_DEFAULTS, data_dir: directory.path },
    log: { entry: () => undefined, write: (_level, event) => log.push(event) },
    wallMs: () => clock.wallMs(),
    after: (run, ms) => clock.after(ms, run),
    async run() {
      world.ran += 1
      if (world.fault !== null) throw world.fault
    },
  })
  made.onChange = () => {
    world.changes += 1
  }
  t.after(() => made.stop())
  const pass = async (minutes: number) => {
    for (let i = 0; i < minutes; i++) {
      clock.advance(60_000)
      await nextTurn()
    }
  }
  return { made, world, log, directory, pass }
}

const LARGE = 1_000_000_000
const SMALL = 1_000_000

test('a small database is checked after each start, a large one a week after its last check', async t => {
  for (const [daysAgo, bytes, ran] of [
    [1, SMALL, 1],
    [6.9, LARGE, 0],
    [7, LARGE, 1],
  ] as const) {
    const { made, world, pass } = checks(t, { daysAgo, bytes })
    made.start()
    await pass(3)
    assert.equal(world.ran, ran, `${daysAgo} days, ${bytes} bytes`)
  }
})

test('a running gateway repeats the check each week', async t => {
  const { made, world, pass } = checks(t, { daysAgo: 6.9, bytes: LARGE })
  made.start()
  await pass(0.2 * 24 * 60)
  assert.equal(world.ran, 1)
})

test('damage is a problem until a later check finds none', async t => {
  const { made, world, log, directory, pass } = checks(t, { daysAgo: 8, bytes: LARGE })
  world.fault = new DatabaseDamaged('Tree 7')
  made.start()
  assert.equal(world.ran, 0)
  await pass(1)
  assert.equal(made.damage?.cause, 'the database is damaged (Tree 7)')
  assert.deepEqual(
    [log, world.changes, existsSync(directory.databaseChecked)],
    [['database.damaged'], 1, false],
  )
  world.fault = null
  await pass(61)
  assert.deepEqual([made.damage, world.ran, existsSync(directory.databaseChecked)], [null, 2, true])
})

test('a check that could not run is no damage', async t => {
  const { made, world, log, pass } = checks(t, { daysAgo: 8, bytes: LARGE })
  world.fault = new Error('no thread')
  made.start()
  assert.equal(world.ran, 0)
  await pass(1)
  assert.deepEqual([made.damage, log], [null, ['database.not_checked']])
})

test('a backup that failed for damage asks for a check', async t => {
  const { made, world, directory, pass } = checks(t, { daysAgo: 1, bytes: LARGE })
  made.start()
  await pass(1)
  rmSync(directory.databaseChecked)
  await pass(1)
  assert.equal(world.ran, 1)
})
