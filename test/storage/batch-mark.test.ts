import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Batch } from '#storage/batch.ts'
import { systemSource } from '#storage/source.ts'
import { TestWorld } from '#test/kit/world.ts'

test('a commit is not repeated if its mark cannot be written', () => {
  const { database, settings } = new TestWorld()
  const batch = new Batch({
    database,
    settings,
    source: systemSource(new Uint8Array(32)),
    now: () => ({ wallMs: 0, monoMs: 0 }),
    faulted: error => assert.fail(String(error)),
    committed: () => {
      throw new Error('no mark')
    },
  })
  const calls = [1, 2].map(id => ({
    id,
    name: 'account.create' as const,
    input: { email: `${id}@example.test`, plan: 'free', passwordHash: null },
  }))
  assert.throws(() => batch.run(calls), /no mark/)
  assert.equal(database.prepare('SELECT count FROM commit_count').get()?.['count'], 1)
})
