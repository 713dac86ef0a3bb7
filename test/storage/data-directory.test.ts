import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { dataDirectory, makeDataDirectory } from '#storage/data-directory.ts'

test('the files in secrets get their modes back', t => {
  const folder = mkdtempSync(join(tmpdir(), 'roost-modes-'))
  t.after(() => rmSync(folder, { recursive: true }))
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
