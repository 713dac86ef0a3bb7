import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { readHeadline, stateInSentence, stateOfEmoji } from '#domain/alert/text/headline.ts'
import { printSpan, readSpan, spanBetween } from '#domain/alert/text/time-span.ts'
import { chooseState, readState, type State } from '#domain/alert/vocabulary/states.ts'

suite('the value of a field is a state', () => {
  const rows: readonly (readonly [value: string, word: string | undefined])[] = [
    ['down', 'DOWN'],
    ['DOWN', 'DOWN'],
    ['Offline', 'OFFLINE'],
    ['warning', 'WARN'],
    ['crit', 'CRITICAL'],
    ['check.down', 'DOWN'],
    ['incident.triggered', 'TRIGGERED'],
    ['Service is DOWN', 'DOWN'],
    ['TEST_NOTIFICATION', 'TEST'],
    ['no_data', 'NODATA'],
    ['payment_failed', 'FAILED'],
    ['Sev1', 'SEV1'],
    ['P2', 'P2'],
    ['door_open', undefined],
    ['build-up', undefined],
    ['latest', undefined],
    ['contest', undefined],
    ['200', undefined],
    ['', undefined],
    ['a state must not be a whole sentence that happens to end in down', undefined],
  ]
  for (const [value, word] of rows)
    test(JSON.stringify(value), () => assert.equal(readState(value)?.word, word))
})

test('of several states a test comes first, then a recovery, then the worst', () => {
  const states = (words: string): State[] => words.split(' ').flatMap(word => readState(word) ?? [])
  assert.equal(chooseState(states('firing critical'))?.word, 'CRITICAL')
  assert.equal(chooseState(states('critical resolved'))?.word, 'RESOLVED')
  assert.equal(chooseState(states('firing info'))?.word, 'FIRING')
  assert.equal(chooseState(states('down ok test'))?.word, 'TEST')
  assert.equal(chooseState([]), null)
})

suite('state and names before a sentence are read', () => {
  const rows: readonly (readonly [line: string, state: string | undefined, text: string])[] = [
    ['[Nextcloud] [ Down] timeout', 'DOWN', 'Nextcloud: timeout'],
    ['[FIRING:2, RESOLVED:1] High CPU', 'FIRING', 'High CPU'],
    ['[Alerting] Disk usage', 'ALERTING', 'Disk usage'],
    ['[Triggered on {host:web-1}] CPU is high', 'TRIGGERED', 'CPU is high on web-1'],
    ['[Warn on {host:web-1,disk:sda}] CPU is high', 'WARN', 'CPU is high on web-1, sda'],
    ['Warning [TOWER] - Disk 2 is hot', 'WARN', '[TOWER] - Disk 2 is hot'],
    ['CheckDisk CRITICAL: / 96%', 'CRITICAL', '/ 96%'],
    ['[nas][https://nas.lan] certificate', undefined, 'nas: certificate'],
    ['Problem: eth0 down', 'PROBLEM', 'eth0 down'],
    ['CRITICAL - load average 12', 'CRITICAL', 'load average 12'],
    ['HTTP CRITICAL: 503', 'CRITICAL', '503'],
    ['Resolved in 14m 2s: eth0 down', 'RESOLVED', 'eth0 down'],
    ['Up to date', undefined, 'Up to date'],
    ['Open the door', undefined, 'Open the door'],
    ['(changed) Price', undefined, '(changed) Price'],
    ['PING OK', undefined, 'PING OK'],
  ]
  for (const [line, state, text] of rows) {
    test(line, () => {
      const headline = readHeadline(line)
      assert.equal(headline.state?.word, state)
      assert.equal(headline.text, text)
    })
  }
})

test('plain words give a state only if they are unambiguous', () => {
  const told = (line: string): string | undefined => stateInSentence(line)?.word
  assert.equal(told('Connection to nas is down'), 'DOWN')
  assert.equal(told('nas is back online'), 'UP')
  assert.equal(told('This is a test'), 'TEST')
  assert.equal(told('Notification test'), 'TEST')
  assert.equal(told('Certificate will expire in 14 days'), 'WARN')
  assert.equal(told('nas has recovered'), 'RECOVERED')
  assert.equal(told('2 failed'), 'FAILED')
  assert.equal(told('Backup task photos failed!'), 'FAILED')
  assert.equal(told('The following alert has been cleared: pool state is DEGRADED'), 'CLEAR')
  assert.equal(told('SMART error (pending) detected on sda'), 'ERROR')
  for (const line of [
    'nas is not down',
    'CPU is up 20%',
    '0 failed',
    'Internet connection failed over to WAN2',
    'no errors found',
    'latest contest',
    'down the road',
    'was down',
  ]) {
    assert.equal(told(line), undefined, line)
  }
})

test('an emoji at either end shows a state', () => {
  assert.deepEqual(
    ['🔴 nas', 'nas 🔴', '✅ nas', '⚠️ nas', 'nas ✅ backup', 'nas'].map(line => stateOfEmoji(line)?.word),
    ['ALERT', 'ALERT', 'OK', 'WARN', undefined, undefined],
  )
})

test('durations are written and read as people write them', () => {
  assert.deepEqual([999, 45_000, 740_000, 3_900_000, 7_200_000, 277_200_000].map(printSpan), [
    '',
    '45s',
    '12m',
    '1h 5m',
    '2h',
    '3d 5h',
  ])
  assert.deepEqual(['754', '00:12:34', '12 minutes', 'soon', ''].map(readSpan), [
    754_000,
    754_000,
    '12 minutes',
    '',
    '',
  ])
  assert.equal(spanBetween('2026-08-22 12:03:41.512', '2026-08-22T14:03:41.512+02:00'), 0)
  assert.equal(spanBetween('1787400000', '1787400060000'), 60_000)
  assert.equal(spanBetween('2026-08-22T12:00:00Z', '0001-01-01T00:00:00Z'), Number.NaN)
})

test('what has not happened is no state', () => {
  assert.equal(stateInSentence('No workflow jobs have failed'), null)
  assert.equal(stateInSentence('The loss has not returned to normal'), null)
  assert.equal(stateInSentence('It will be back to normal by 10:00'), null)
  assert.equal(stateInSentence('Fan speed returned to normal')?.word, 'RESOLVED')
  assert.equal(stateInSentence('2 jobs have failed')?.word, 'FAILED')
})
