import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PhoneNumberCache } from '#domain/phone-number/phone-number-cache.ts'

const numberOf = (i: number) => `+491511234${String(i).padStart(4, '0')}`

test('a cached number is the same object', () => {
  const cache = new PhoneNumberCache(10)
  const first = cache.parse('+49 1511 2345678')
  assert.deepEqual(first, { e164: '+4915112345678', country: 'DE', callingCode: '49' })
  assert.equal(cache.parse('+49 1511 2345678'), first)
})

test('no more entries are kept than allowed, and the oldest goes first', () => {
  const cache = new PhoneNumberCache(3)
  const [first, second] = [cache.parse(numberOf(1)), cache.parse(numberOf(2))]
  for (const i of [3, 4]) cache.parse(numberOf(i))
  assert.equal(cache.size, 3)
  assert.equal(cache.parse(numberOf(2)), second)
  assert.notEqual(cache.parse(numberOf(1)), first)
  assert.deepEqual(cache.parse(numberOf(1)), first)
  for (let i = 0; i < 1000; i++) cache.parse(numberOf(i))
  assert.equal(cache.size, 3)
})

test('a refused number is not cached', () => {
  const cache = new PhoneNumberCache(3)
  const kept = cache.parse(numberOf(1))
  for (let i = 0; i < 10; i++) assert.equal(cache.parse(`+1 555 ${i}`), null)
  assert.equal(cache.size, 1)
  assert.equal(cache.parse(numberOf(1)), kept)
})
