import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeManual } from '#scripts/make-manual.ts'

test('the manual page has every command with its options, as roff', () => {
  const manual = makeManual('2026-01-31')
  assert.match(manual, /^\.TH ROOST 1 "2026-01-31" /)
  assert.ok(manual.includes('.SS "roost device rename <id> <name>"'))
  assert.ok(manual.includes('.B \\-\\-accept\\-data\\-loss'))
  assert.ok(manual.includes('.SS "roost service install"'))
  const requests = manual.split('\n').flatMap(line => /^[.'](\S+)/.exec(line)?.[1] ?? [])
  const known = new Set(['TH', 'SH', 'SS', 'TP', 'PP', 'B', 'I', 'BR'])
  assert.deepEqual(
    requests.filter(request => !known.has(request)),
    [],
  )
})
