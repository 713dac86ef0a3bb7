import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseAddress } from '#domain/network/address.ts'
import { Allowlists } from '#domain/webhook/allowlists.ts'

test('each allowlist is checked by its own entries, whatever is cached', () => {
  const lists = new Allowlists()
  const lets = (allowedIps: readonly string[], text: string) => {
    const address = parseAddress(text)
    assert.ok(address !== null)
    return lists.allows({ allowedIps }, address)
  }
  assert.equal(lets([], '203.0.113.7'), true)
  for (let round = 0; round < 2; round++) {
    for (let i = 0; i < 256; i++) {
      assert.equal(lets([`10.0.${i}.0/24`, '192.0.2.1'], `10.0.${i}.9`), true)
      assert.equal(lets([`10.0.${i}.0/24`, '192.0.2.1'], `10.1.${i}.9`), false)
    }
  }
})

test('an unreadable entry allows no address', () => {
  const address = parseAddress('10.1.2.3')
  assert.ok(address !== null)
  assert.equal(new Allowlists().allows({ allowedIps: ['10.1.2.3/8'] }, address), false)
})
