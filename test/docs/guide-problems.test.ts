import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { HEALTH_CODES } from '#contracts/health.ts'

test('the handbook explains every code of a health problem, and no other', () => {
  const guide = readFileSync('GUIDE.md', 'utf8')
  const section = /### What is wrong\n([\s\S]*?)\n### /.exec(guide)?.[1] ?? ''
  const explained = [...section.matchAll(/`([A-Z_]{5,})`/g)].map(([, code]) => code)
  assert.deepEqual(explained.sort(), [...HEALTH_CODES].sort())
})
