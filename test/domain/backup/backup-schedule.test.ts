import assert from 'node:assert/strict'
import { test } from 'node:test'
import { backupName, expiredBackups, lastDueAt, newestBackup } from '#domain/backup/backup-schedule.ts'
import { DAY_MS } from '#domain/time.ts'

/** A Sunday. */
const NOW = Date.UTC(2026, 10, 22, 3, 30)
const night = (ago: number) => backupName(NOW - ago * DAY_MS)

test("a backup's name contains its time; other names are ignored", () => {
  assert.equal(night(0), 'roost-2026-11-22T033000Z.backup')
  assert.equal(
    newestBackup(['notes.txt', night(2), night(1), 'roost-2026-11-22T033000Z.backup.7.partial']),
    NOW - DAY_MS,
  )
  assert.equal(newestBackup(['roost.backup']), null)
})

test('the newest backup of each of the last days and weeks is kept, and other files stay', () => {
  const names = [...Array.from({ length: 40 }, (_, ago) => night(ago)), 'notes.txt', 'roost.backup']
  const expired = new Set(expiredBackups(names, { days: 3, weeks: 3 }))
  const kept = names.filter(name => !expired.has(name))
  // Sunday is the last day of its week.
  assert.deepEqual(kept, [...[0, 1, 2, 7, 14].map(night), 'notes.txt', 'roost.backup'])
})

test('only the newest backup of a day is kept', () => {
  const again = backupName(NOW + 60_000)
  assert.deepEqual(expiredBackups([night(0), again], { days: 7, weeks: 4 }), [night(0)])
})

test('days without a backup are not counted', () => {
  const names = [night(100), night(200), night(300)]
  assert.deepEqual(expiredBackups(names, { days: 2, weeks: 0 }), [night(300)])
})

test("a backup is due at the most recent time that the machine's clock showed `at`", () => {
  const noon = new Date(2026, 10, 22, 12, 0)
  assert.equal(lastDueAt(noon.getTime(), '03:30'), new Date(2026, 10, 22, 3, 30).getTime())
  assert.equal(lastDueAt(noon.getTime(), '12:00'), noon.getTime())
  assert.equal(lastDueAt(noon.getTime(), '12:01'), new Date(2026, 10, 21, 12, 1).getTime())
})
