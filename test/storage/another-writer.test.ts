import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { test } from 'node:test'
import { dataDirectory } from '#storage/data-directory.ts'
import { openStorage } from '#storage/open-storage.ts'
import { systemSource } from '#storage/source.ts'
import { AnotherWriter } from '#storage/sqlite-fault.ts'
import { temporaryDirectory } from '#test/kit/temporary-directory.ts'
import { testSettings } from '#test/kit/world.ts'

test('a writer that finds the commit of another one writes nothing and leaves the log to it', t => {
  const directory = dataDirectory(temporaryDirectory(t))
  const open = () =>
    openStorage(directory, {
      settings: testSettings(),
      source: systemSource(new Uint8Array(32)),
      now: () => ({ wallMs: 1_800_000_000_000, monoMs: 0 }),
      faulted: error => assert.fail(String(error)),
    })
  const create = (storage: ReturnType<typeof open>, email: string) =>
    storage.batch.run([{ id: 0, name: 'account.create', input: { email, plan: 'free', passwordHash: null } }])
  const first = open()
  create(first, 'one@example.org')
  const second = open()
  create(second, 'two@example.org')
  assert.throws(() => create(first, 'lost@example.org'), AnotherWriter)
  first.close()
  assert.ok(existsSync(`${directory.database}-wal`))
  create(second, 'three@example.org')
  second.close()
  const third = open()
  const [answer] = third.batch.run([{ id: 0, name: 'account.list', input: {} }]).answers
  const accounts = answer?.ok ? (answer.output as { email: string }[]) : []
  third.close()
  assert.deepEqual(accounts.map(({ email }) => email).sort(), [
    'one@example.org',
    'three@example.org',
    'two@example.org',
  ])
})
