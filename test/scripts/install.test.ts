import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { temporaryDirectory } from '#test/kit/temporary-directory.ts'

const INSTALL = fileURLToPath(import.meta.resolve('#scripts/install.mjs'))
const LOCK = '{}'

/** A checkout with the packages that npm installed, and a build that does nothing. */
function checkout(t: TestContext) {
  const top = temporaryDirectory(t)
  for (const folder of ['scripts', 'node_modules/.bin']) mkdirSync(join(top, folder), { recursive: true })
  copyFileSync(INSTALL, join(top, 'scripts/install.mjs'))
  writeFileSync(join(top, 'package-lock.json'), LOCK)
  writeFileSync(join(top, 'build.mjs'), '')
  const stamp = createHash('sha256').update(LOCK).digest('hex')
  writeFileSync(join(top, 'node_modules/.roost-installed'), stamp)
  const install = (...flags: readonly string[]) => {
    const args = [...flags, join(top, 'scripts/install.mjs')]
    const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
    return { status, stderr }
  }
  return { top, install }
}

test('the Node that npm installed runs Roost, also where an old npm made no link to it', t => {
  const { top, install } = checkout(t)
  const packaged = `node-linux-${process.arch}/bin/node`
  mkdirSync(join(top, 'node_modules', packaged, '..'), { recursive: true })
  symlinkSync(process.execPath, join(top, 'node_modules', packaged))
  for (let times = 0; times < 2; times++) assert.deepEqual(install(), { status: 0, stderr: '' })
  assert.equal(readlinkSync(join(top, 'node_modules/.bin/node')), `../${packaged}`)
})

test('a Node that is too old to install anything is named first, with what gets a newer one', t => {
  const { top, install } = checkout(t)
  writeFileSync(join(top, 'package-lock.json'), '{"changed": true}')
  const old = 'Object.defineProperty(process, "versions", { value: { node: "16.20.2" } });'
  const version = 'Object.defineProperty(process, "version", { value: "v16.20.2" })'
  const { status, stderr } = install('--import', `data:text/javascript,${encodeURIComponent(old + version)}`)
  assert.equal(status, 1)
  assert.match(
    stderr,
    /^Roost needs Node [\d.]+ or newer, and this is v16\.20\.2\. Install .*\n {2}sudo npm /,
  )
  assert.ok(!existsSync(join(top, 'dist')))
})

test('packages are installed without their scripts, and only when the lock file has changed', t => {
  const top = temporaryDirectory(t)
  for (const folder of ['scripts', 'node_modules']) mkdirSync(join(top, folder))
  copyFileSync(INSTALL, join(top, 'scripts/install.mjs'))
  const npm = join(top, 'npm.mjs')
  writeFileSync(
    npm,
    "(await import('node:fs')).appendFileSync('calls', process.argv.slice(2).join(' ') + '\\n')",
  )
  writeFileSync(join(top, 'build.mjs'), '')
  const install = (lock: string, ...args: string[]) => {
    writeFileSync(join(top, 'package-lock.json'), lock)
    const env = { ...process.env, npm_execpath: npm }
    const { status, stderr } = spawnSync(process.execPath, ['scripts/install.mjs', ...args], {
      cwd: top,
      env,
    })
    assert.equal(status, 0, String(stderr))
    return readFileSync(join(top, 'calls'), 'utf8')
  }
  const all = 'ci --ignore-scripts --no-audit --no-fund\n'
  const run = all.replace('\n', ' --omit=dev\n')
  assert.equal(install('{"lock": 1}', '--run'), run)
  assert.equal(install('{"lock": 1}', '--run'), run)
  assert.equal(install('{"lock": 1}'), run + all)
  assert.equal(install('{"lock": 2}', '--run'), run + all + run)
})

test('what an old npm leaves out is installed by the same npm under the Node that it has installed', t => {
  const top = temporaryDirectory(t)
  for (const folder of ['scripts', 'node_modules/.bin']) mkdirSync(join(top, folder), { recursive: true })
  copyFileSync(INSTALL, join(top, 'scripts/install.mjs'))
  writeFileSync(join(top, 'build.mjs'), '')
  const packaged = `node_modules/node-linux-${process.arch}/bin/node`
  // The first run installs only Node, and the one under that Node the parser, too.
  writeFileSync(
    join(top, 'npm.mjs'),
    `import { appendFileSync, existsSync, mkdirSync, symlinkSync } from 'node:fs'
    appendFileSync('calls', process.argv0 + '\\n')
    if (existsSync('${packaged}') && existsSync('may-work')) mkdirSync('node_modules/parser')
    mkdirSync('node_modules/node-linux-${process.arch}/bin', { recursive: true })
    if (!existsSync('${packaged}')) symlinkSync('${process.execPath}', '${packaged}')`,
  )
  const here = { os: ['linux'], cpu: [process.arch], optional: true }
  const packages = {
    'node_modules/parser': { ...here, dev: true },
    'node_modules/parser-musl': { ...here, libc: ['musl'] },
    'node_modules/parser-mips': { ...here, cpu: ['mips'] },
    'node_modules/portable': { optional: true },
  }
  writeFileSync(join(top, 'package-lock.json'), JSON.stringify({ packages }))
  const install = (...args: string[]) => {
    const env = { ...process.env, npm_execpath: join(top, 'npm.mjs') }
    const options = { cwd: top, env, encoding: 'utf8' } as const
    const { status, stderr } = spawnSync(process.execPath, ['scripts/install.mjs', ...args], options)
    const calls = readFileSync(join(top, 'calls'), 'utf8').trim().split('\n')
    return { status, stderr, calls: calls.map(call => call === join(top, packaged)) }
  }
  assert.deepEqual(install('--run').calls, [false])
  const failed = install()
  assert.deepEqual(failed.calls, [false, false, true])
  assert.equal(failed.status, 1)
  assert.match(
    failed.stderr,
    /npm has left out parser, which Roost needs .*\n {2}sudo npm install --global npm\n$/,
  )
  writeFileSync(join(top, 'may-work'), '')
  assert.equal(install().status, 0)
})
