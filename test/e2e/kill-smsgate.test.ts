import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findSmsgateFaults, killSmsgate, repeatedByApp } from '#test/kit/kill-smsgate.ts'
import { sized } from '#test/kit/test-size.ts'

const ROUNDS = sized(3, 12)

test('kill -9 of gateway and phone posts no text twice and loses none', { timeout: 1_200_000 }, async t => {
  const seed = Math.floor(Math.random() * 2 ** 32)
  t.diagnostic(`seed ${seed}`)
  const books = await killSmsgate(t, { rounds: ROUNDS, seed })
  t.diagnostic(`${books.accepted.length} texts, ${books.air.length} on the air`)
  t.diagnostic(`${repeatedByApp(books)} sent again by the app itself`)
  assert.deepEqual(findSmsgateFaults(books), [])
  assert.ok(books.accepted.length >= ROUNDS, 'there were texts')
})
