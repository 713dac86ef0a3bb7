import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { BACKUP_CHECK_EVERY_MS, BACKUP_RETRY_MS, NightlyBackups } from '#app/threads/nightly-backups.ts'
import { CONFIG_DEFAULTS } from '#contracts/config.ts'
import type { LogEntry, NightlyBackupTask } from '#contracts/thread-frames.ts'
import { DAY_MS } from '#domain/time.ts'
import { makeNightlyBackup } from '#storage/make-nightly-backup.ts'
import { DatabaseDamaged } from '#storage/sqlite-fault.ts'
import { startGateway } from '#test/kit/gateway.ts'
import { HandClock } from '#test/kit/hand-clock.ts'
import { nextLook, nextTurn } from '#test/kit/next-turn.ts'
import { temporaryDirectory } from '#test/kit/temporary-directory.ts'

/** Nightly backups on the manual clock. While `fault` is set, each backup fails with it. */
function nights(t: TestContext, damaged: (cause: string) => void = () => undefined) {
  const folder = temporaryDirectory(t)
  const dir = join(folder, 'nightly')
  mkdirSync(dir)
  const clock = new HandClock()
  const tasks: NightlyBackupTask[] = []
  const log: LogEntry[] = []
  const world = { fault: null as Error | null, dir, clock, tasks, log }
  const config = { ...CONFIG_DEFAULTS, backup: { ...CONFIG_DEFAULTS.backup, dir } }
  const backups = new NightlyBackups({
    config,
    damaged,
    log: {
      entry: entry => log.push(entry),
      write: (level, event, fields) => log.push({ level, event, fields }),
    },
    wallMs: () => clock.wallMs(),
    after: (run, ms) => clock.after(ms, run),
    async make(task) {
      tasks.push(task)
      if (world.fault !== null) throw world.fault
      writeFileSync(join(task.dir, task.name), '')
    },
  })
  t.after(() => backups.stop())
  const pass = async (ms: number) => {
    for (let left = ms; left > 0; left -= BACKUP_CHECK_EVERY_MS) {
      clock.advance(Math.min(left, BACKUP_CHECK_EVERY_MS))
      await nextTurn()
    }
  }
  const failed = () => backups.metrics().find(({ name }) => name === 'roost_backup_failed')?.values[0]?.value
  return { ...world, world, backups, config, pass, failed }
}

test('without a backup one is made at once, then one a day', async t => {
  const { backups, tasks, pass } = nights(t)
  backups.start()
  await nextTurn()
  assert.equal(tasks.length, 1)
  await pass(3 * DAY_MS)
  assert.equal(tasks.length, 4)
})

test('a restart does not repeat a backup', async t => {
  const { backups, tasks, dir, clock, pass } = nights(t)
  writeFileSync(join(dir, `roost-${new Date(clock.wallMs()).toISOString().slice(0, 10)}T120000Z.backup`), '')
  backups.start()
  await pass(BACKUP_CHECK_EVERY_MS * 3)
  assert.equal(tasks.length, 0)
})

test('a failed backup is reported and tried again, and the next success ends the problem', async t => {
  const { backups, world, tasks, log, pass, failed } = nights(t)
  world.fault = new Error('no space left')
  backups.start()
  await nextTurn()
  assert.equal(failed(), 1)
  assert.deepEqual(
    log.map(({ event, fields }) => [event, fields['cause']]),
    [['backup.failed', 'no space left']],
  )
  await pass(BACKUP_RETRY_MS - BACKUP_CHECK_EVERY_MS)
  assert.equal(tasks.length, 1)
  world.fault = null
  await pass(2 * BACKUP_CHECK_EVERY_MS)
  assert.deepEqual([tasks.length, failed()], [2, 0])
})

test('while only the second folder is away, no further backup is made for it', async t => {
  const { backups, config, dir, world, tasks, pass } = nights(t)
  await backups.reconfigure({ ...config, backup: { ...config.backup, second_dir: join(dir, 'away') } })
  backups.start()
  await nextTurn()
  world.fault = new Error('away')
  await pass(3 * BACKUP_RETRY_MS)
  assert.ok(tasks.length > 2)
  assert.deepEqual(new Set(tasks.map(({ name }) => name)).size, 1)
  const task = { dataDir: '/nowhere', kept: { days: 7, weeks: 4 } }
  const [{ name = '' } = {}] = tasks
  const elsewhere = temporaryDirectory(t)
  await makeNightlyBackup({ kind: 'backup', ...task, dir, secondDir: elsewhere, name }, () => undefined)
  assert.deepEqual(readdirSync(elsewhere), [name])
})

test('without a directory no backup is made; a reload that sets one starts a backup', async t => {
  const { backups, config, tasks, pass } = nights(t)
  await backups.reconfigure(CONFIG_DEFAULTS)
  backups.start()
  await pass(DAY_MS / 24)
  assert.equal(tasks.length, 0)
  await backups.reconfigure(config)
  await pass(BACKUP_CHECK_EVERY_MS)
  assert.equal(tasks.length, 1)
})

test('a running gateway makes a backup in both folders by itself', async t => {
  const folder = temporaryDirectory(t)
  const [dir, second_dir] = [join(folder, 'first'), join(folder, 'second')]
  mkdirSync(second_dir)
  const gateway = await startGateway({ config: { backup: { dir, second_dir } } })
  t.after(() => gateway.stop())
  while (!gateway.log.some(({ event }) => event.startsWith('backup.'))) await nextLook()
  assert.deepEqual(
    gateway.log.filter(({ event }) => event === 'backup.failed'),
    [],
  )
  const names = readdirSync(dir)
  assert.equal(names.length, 1)
  assert.deepEqual(readdirSync(second_dir), names)
  for (const place of [dir, second_dir])
    assert.equal(statSync(join(place, names[0] ?? '')).mode & 0o777, 0o600)
  assert.match((await gateway.call('GET', '/metrics')).text, /^roost_backup_failed 0$/m)
  // A missing second folder is not created, and does not prevent the backup in the first folder.
  const task = { dataDir: gateway.dataDir, dir, secondDir: join(folder, 'away'), kept: { days: 7, weeks: 4 } }
  const name = 'roost-2099-01-01T000000Z.backup'
  await assert.rejects(
    makeNightlyBackup({ kind: 'backup', ...task, name }, () => undefined),
    /away: the folder does not exist: mount or create it/,
  )
  assert.ok(readdirSync(dir).includes(name))
  assert.ok(!readdirSync(folder).includes('away'))
})

test('a backup that finds the database damaged reports that, too', async t => {
  const damages: string[] = []
  const { backups, world } = nights(t, cause => damages.push(cause))
  world.fault = new DatabaseDamaged('Tree 7')
  backups.start()
  await nextTurn()
  assert.deepEqual(damages, ['the database is damaged (Tree 7)'])
})
