import assert from 'node:assert/strict'
import { test } from 'node:test'
import { localAddresses } from '#app/config/target-policy.ts'

test('the addresses of this machine are known, or none if the system refuses to list them', () => {
  assert.ok(localAddresses().includes('127.0.0.1'))
  const refused = () =>
    assert.fail('A system error occurred: uv_interface_addresses returned Unknown system error 13')
  assert.deepEqual(localAddresses(refused), [])
})
