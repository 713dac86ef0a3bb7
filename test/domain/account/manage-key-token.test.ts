import assert from 'node:assert/strict'
import { test } from 'node:test'
import { KEY_TOKEN_REFRESH_TTL_S } from '#contracts/bounds.ts'
import { KEY_TOKEN_CHAINS_MAX } from '#domain/account/manage-key-token.ts'
import { openPrincipalReader } from '#storage/principal-reader.ts'
import { TestWorld } from '#test/kit/world.ts'

const KEY = { keyId: 'key_1' }

function start() {
  const world = new TestWorld()
  const accountId = world.ask('gateway.first-start', {})?.accountId ?? ''
  const open = (chain: string, parent: string | null = null) =>
    world.ask('key-token.open', { accountId, ...KEY, chain, parent })
  const rows = () => world.database.prepare('SELECT count(*) AS count FROM key_token_chain').get()?.['count']
  const { isChainValid } = openPrincipalReader(world.database)
  return { world, open, rows, isValid: (chain: string) => isChainValid(KEY.keyId, chain) }
}

test('a chain is renewed once at each step, and a repeated step ends its whole family', () => {
  const { world, open, isValid } = start()
  const renew = (step: number, chain = 'a') => world.ask('key-token.renew', { ...KEY, chain, step })
  open('a')
  open('other')
  assert.deepEqual([renew(0), renew(1)], [true, true])
  assert.ok(open('child', 'a'))
  assert.ok(open('grandchild', 'child'))
  assert.equal(renew(0, 'grandchild'), true)
  assert.equal(renew(0, 'grandchild'), false)
  assert.deepEqual(['a', 'child', 'grandchild', 'other'].map(isValid), [false, false, false, true])
  assert.deepEqual([renew(2), open('late', 'child')], [false, false])
})

test('a key has a bounded number of chains, of which the one that ends first gives way', () => {
  const { world, open, rows, isValid } = start()
  open('first')
  world.wallMs += 1000
  for (let at = 1; at < KEY_TOKEN_CHAINS_MAX; at++) open(`chain ${at}`)
  assert.ok(isValid('first'))
  open('last')
  assert.equal(rows(), KEY_TOKEN_CHAINS_MAX)
  assert.deepEqual(['first', 'chain 1', 'last'].map(isValid), [false, true, true])
})

test('chains are forgotten when their last token has ended, and unknown ones leave no row', () => {
  const { world, open, rows } = start()
  open('a')
  world.ask('key-token.end', { ...KEY, chain: 'made up' })
  world.ask('key-token.renew', { ...KEY, chain: 'made up', step: 0 })
  assert.equal(rows(), 1)
  world.wallMs += KEY_TOKEN_REFRESH_TTL_S * 1000 + 1
  open('b')
  assert.equal(rows(), 1)
})
