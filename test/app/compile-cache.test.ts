import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { useCompileCache } from '#app/compile-cache.ts'
import { temporaryDirectory } from '#test/kit/temporary-directory.ts'

const uid = process.getuid?.() ?? -1

/** The folder in which the program and its threads cache compiled code; undefined: none. */
function folderFor(env: NodeJS.ProcessEnv, user = uid): string | undefined {
  useCompileCache(env, user)
  return env['NODE_COMPILE_CACHE']
}

test('compiled code is kept in the cache directory of the service, otherwise in that of the user', t => {
  const [service, user] = [temporaryDirectory(t), temporaryDirectory(t)]
  const both = { CACHE_DIRECTORY: service, XDG_CACHE_HOME: user }
  assert.equal(folderFor(both), join(service, 'roost', 'compiled'))
  assert.equal(folderFor({ XDG_CACHE_HOME: user }), join(user, 'roost', 'compiled'))
  assert.equal(statSync(join(user, 'roost', 'compiled')).mode & 0o777, 0o700)
  assert.equal(folderFor({ XDG_CACHE_HOME: user, NODE_COMPILE_CACHE: '/named' }), '/named')
})

test('a cache that another user could have written is not used', t => {
  const home = temporaryDirectory(t)
  const folder = join(home, 'roost', 'compiled')
  mkdirSync(folder, { recursive: true })
  assert.equal(folderFor({ XDG_CACHE_HOME: home }, uid + 1), undefined)
  chmodSync(folder, 0o777)
  assert.equal(folderFor({ XDG_CACHE_HOME: home }), undefined)
})

test('without a cache directory the program runs without a cache', t => {
  const file = join(temporaryDirectory(t), 'file')
  writeFileSync(file, '')
  assert.equal(folderFor({ XDG_CACHE_HOME: file }), undefined)
})
