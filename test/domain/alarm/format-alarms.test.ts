import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ENGLISH } from '#contracts/words.ts'
import type { Alarm } from '#domain/alarm/alarm-store.ts'
import { formatAlarms } from '#domain/alarm/send-alarm-text.ts'

const SINCE = Date.parse('2026-01-15T16:48:00Z')
const NOW = SINCE + 3 * 60_000
const OFFLINE: Alarm = {
  accountId: 'acc_1',
  code: 'NO_DEVICE_ONLINE',
  subject: null,
  severity: 'critical',
  message: 'kitchen is offline, so texts wait until a phone is back, or until they expire',
  since: SINCE,
  raisedAt: SINCE,
  clearedAt: null,
  returns: 0,
  reported: 'nothing',
  said: 'kitchen is offline, so texts wait until a phone is back, or until they expire',
}
const text = (change: Partial<Alarm>, timeZone = 'Europe/Rome', nowMs = NOW) =>
  formatAlarms(
    [{ ...OFFLINE, ...change, said: change.said ?? change.message ?? OFFLINE.message }],
    { nowMs, timeZone },
    ENGLISH,
  )

test('a phone that was away and is back is one sentence, on the wall clock of the machine', () => {
  assert.equal(text({ clearedAt: NOW }), 'Roost: kitchen was offline from 17:48 to 17:51')
  const nobody = { message: 'No phone is online, so texts wait until a phone is back' }
  assert.equal(text({ ...nobody, clearedAt: NOW }), 'Roost: No phone was online from 17:48 to 17:51')
  const named = { code: 'DEVICE_OFFLINE', message: 'attic is offline; its battery was at 7 %' } as const
  assert.equal(text({ ...named, clearedAt: NOW }), 'Roost: attic was offline from 17:48 to 17:51')
})

test('other problems give their times in brackets', () => {
  const backup = { code: 'BACKUP_FAILED', message: 'The nightly backup fails' } as const
  assert.equal(text(backup), 'Roost: The nightly backup fails (since 17:48)')
  assert.equal(
    text({ ...backup, clearedAt: NOW }),
    'Roost: The nightly backup fails (17:48 to 17:51, over now)',
  )
  assert.equal(
    text({ ...backup, clearedAt: NOW, reported: 'raised' }),
    'Roost: Over: The nightly backup fails (until 17:51)',
  )
})

test('a time of another local day has its date, and a machine in UTC says so', () => {
  assert.match(text({}, 'Asia/Tokyo'), /\(since 01:48\)$/)
  assert.match(text({}, 'Asia/Tokyo', NOW + 86_400_000), /\(since 2026-01-16 01:48\)$/)
  assert.match(text({}, 'UTC'), /\(since 16:48 UTC\)$/)
})
