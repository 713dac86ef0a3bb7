import assert from 'node:assert/strict'
import { chmodSync, copyFileSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { countOnDisk } from '#storage/commit-loss.ts'
import { dataDirectory, journalOf, lockDataDirectory, makeDataDirectory } from '#storage/data-directory.ts'
import { openReadOnly } from '#storage/database.ts'
import { DatabaseSync } from '#storage/sqlite.ts'
import { temporaryDirectory } from '#test/kit/temporary-directory.ts'

test('the files in secrets get their modes back', t => {
  const folder = temporaryDirectory(t)
  const directory = dataDirectory(folder)
  const secrets = dirname(directory.jwtKey)
  mkdirSync(secrets)
  writeFileSync(directory.jwtKey, 'x')
  for (const [path, mode] of [
    [folder, 0o755],
    [secrets, 0o777],
    [directory.jwtKey, 0o644],
  ] as const)
    chmodSync(path, mode)
  makeDataDirectory(directory)
  const modes = [folder, secrets, directory.jwtKey].map(path => statSync(path).mode & 0o777)
  assert.deepEqual(modes, [0o700, 0o700, 0o600])
})

test('taking the lock undoes a write that a power cut interrupted', t => {
  const folder = temporaryDirectory(t)
  const directory = dataDirectory(join(folder, 'data'))
  mkdirSync(directory.path)
  const source = join(folder, 'source.db')
  const writer = new DatabaseSync(source)
  writer.exec(
    'CREATE TABLE text (text TEXT); INSERT INTO text VALUES (zeroblob(100000)); PRAGMA cache_size = 1',
  )
  writer.exec("BEGIN; UPDATE text SET text = 'interrupted'; INSERT INTO text VALUES (zeroblob(100000))")
  // What is on the disk in the middle of a transaction is what a power cut leaves.
  copyFileSync(source, directory.database)
  copyFileSync(`${source}-journal`, journalOf(directory.database))
  writer.close()
  assert.throws(() => countOnDisk(directory.database), { errcode: 776 })
  lockDataDirectory(directory)?.release()
  assert.equal(countOnDisk(directory.database), 0)
  const reader = openReadOnly(directory.database)
  assert.equal(reader.prepare('SELECT length(text) AS n FROM text').get()?.['n'], 100_000)
  reader.close()
})
