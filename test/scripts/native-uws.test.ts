import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { start } from '#test/kit/program.ts'
import { temporaryDirectory } from '#test/kit/temporary-directory.ts'

const loader = fileURLToPath(import.meta.resolve('#scripts/native-uws.cjs'))
const library = join(
  dirname(fileURLToPath(import.meta.resolve('uWebSockets.js'))),
  `bin/uws_${process.platform}_${process.arch}_${process.versions.modules}.node`,
)

/** Loads the native file as the executable does. Returns exit code and output. */
async function load(folder: string, env: Readonly<Record<string, string>>) {
  copyFileSync(loader, join(folder, 'native-uws.cjs'))
  copyFileSync(library, join(folder, 'uws.node'))
  const sha256 = createHash('sha256').update(readFileSync(library)).digest('hex')
  const script = join(folder, 'load.cjs')
  writeFileSync(
    script,
    `process.pkg = {}; globalThis.__UWS_SHA256__ = '${sha256}'
    console.log(typeof require('./native-uws.cjs').App)`,
  )
  const program = start([process.execPath, script], { cwd: folder, env: { CACHE_DIRECTORY: '', ...env } })
  const code = await program.ended
  return { code, stdout: program.stdout.text, stderr: program.stderr.text }
}

test('the executable keeps its native file in the cache of its user', async t => {
  const folder = temporaryDirectory(t)
  const env = { XDG_CACHE_HOME: join(folder, 'cache'), PKG_NATIVE_CACHE_PATH: '' }
  assert.equal((await load(folder, env)).stdout, 'function')
  assert.match(readdirSync(join(folder, 'cache/roost')).join(), /^uws-\w{64}\.node$/)
})

test('without a cache the native file is loaded from a temporary folder, which is then removed', async t => {
  const folder = temporaryDirectory(t)
  const TMPDIR = join(folder, 'temporary')
  mkdirSync(TMPDIR)
  // Not even root can make a folder there.
  const env = { TMPDIR, HOME: '/dev/null', XDG_CACHE_HOME: '', PKG_NATIVE_CACHE_PATH: '' }
  const { stdout, stderr } = await load(folder, env)
  assert.equal(stdout, 'function', stderr)
  assert.deepEqual(readdirSync(TMPDIR), [])
  const nowhere = await load(folder, { ...env, TMPDIR: '/dev/null' })
  assert.equal(nowhere.code, 1)
  assert.match(nowhere.stderr, /set PKG_NATIVE_CACHE_PATH to a folder that is writable/)
})
