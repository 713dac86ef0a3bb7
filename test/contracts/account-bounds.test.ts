import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { ACCOUNT_BOUNDS } from '#contracts/account-bounds.ts'

test('ARCHITECTURE.md shows what one account may hold, row by row', () => {
  const rows = Object.values(ACCOUNT_BOUNDS).map(
    ({ what, most, answer }) => `| ${what} | ${most.toLocaleString('en')} | ${answer} |`,
  )
  const [, section = ''] = readFileSync('ARCHITECTURE.md', 'utf8').split('## What one account may hold\n')
  const shown = (section.split('\n## ')[0] ?? '').split('\n').filter(line => line.startsWith('| '))
  assert.deepEqual(shown.slice(2), rows)
})
