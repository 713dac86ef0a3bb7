// Makes the executables, and for each a Debian package and a .tar.gz to install:
// `node build.mjs [--target linux-x64|linux-arm64|all|agent] [--release]` (default: all). `agent` makes only
// what a gateway in a checkout serves: the agent, the console and the licences. With --release the packages
// are compressed as much as possible, which takes minutes.
//
// The entry file of each thread becomes a CommonJS bundle. The native file of uWebSockets.js is copied next
// to them, and pkg puts the folder into a copy of Node. Downloads come only from the npm registry, and every
// native file is checked against a digest in scripts/bundle-program.mjs or in package-lock.json.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const top = dirname(fileURLToPath(import.meta.url))
const dist = join(top, 'dist')
const work = join(dist, 'build')
const lock = readJson('package-lock.json').packages

const STRIP_TOOLS = { x64: 'x86_64-linux-gnu-strip', arm64: 'aarch64-linux-gnu-strip' }
const TARGETS = { 'linux-x64': ['x64'], 'linux-arm64': ['arm64'], all: ['x64', 'arm64'], agent: [] }

const { values } = parseArgs({
  options: {
    target: { type: 'string', default: 'all' },
    release: { type: 'boolean', default: false },
  },
})
if (!Object.hasOwn(TARGETS, values.target)) {
  fail(`--target ${values.target} is unknown; it is one of ${Object.keys(TARGETS).join(', ')}`, 2)
}
mkdirSync(dist, { recursive: true })
await buildAssets()
for (const arch of TARGETS[values.target]) {
  const startedAt = Date.now()
  const bundle = await makeBundle(arch)
  const out = makeExecutable(arch, bundle)
  process.stderr.write(`${out} (${((Date.now() - startedAt) / 1000).toFixed(1)} s)\n`)
  if (process.platform === 'linux' && process.arch === arch) link(out, join(dist, 'roost'))
}
if (TARGETS[values.target].length > 0) makePackages(TARGETS[values.target])

/** Builds what a gateway in a checkout serves: the agent as one file, the console, and the licences. */
async function buildAssets() {
  const { bundleAgent } = await import('#scripts/bundle-agent.mjs')
  const { licensesOfCheckout } = await import('#scripts/collect-licenses.mjs')
  await bundleAgent(join(dist, 'agent.mjs'))
  const { bundleConsole } = await import('#scripts/bundle-console.mjs')
  await bundleConsole(dist)
  writeFileSync(join(dist, 'licenses.json'), JSON.stringify(licensesOfCheckout()))
}

/** Makes the folder that pkg packs. It also runs without pkg: `node dist/build/linux-x64/main.js`. */
async function makeBundle(arch) {
  const folder = join(work, `linux-${arch}`)
  rmSync(folder, { recursive: true, force: true })
  const { bundleProgram } = await import('#scripts/bundle-program.mjs')
  await bundleProgram({ arch, folder }).catch(error => fail(`the bundle could not be made: ${error.message}`))
  return folder
}

function makeExecutable(arch, folder) {
  const node = `node-linux-${arch}`
  const version = lock[`node_modules/${node}`].version
  const home = join(work, 'home')
  putNodeIntoPkgCache(home, `node-v${version}-linux-${arch}`, strip(arch, nodeBinary(arch)))
  const out = join(dist, `roost-linux-${arch}`)
  const partial = join(work, `roost-linux-${arch}`)
  const pkg = join(dirname(fileURLToPath(import.meta.resolve('@yao-pkg/pkg/package.json'))), 'lib-es5/bin.js')
  // For another processor pkg makes the blob with the Node that runs pkg: both need exactly the same version.
  const args = [pkg, '--sea', '.', '-t', `node${version}-linux-${arch}`, '-o', partial]
  run(hostNode(), args, { cwd: folder, env: { ...process.env, HOME: home } })
  chmodSync(partial, 0o755)
  renameSync(partial, out)
  return out
}

/**
 * Runs scripts/make-packages.ts with the Node of the npm packages, which runs TypeScript. The Node that runs
 * this file may be too old for that.
 */
function makePackages(archs) {
  const startedAt = Date.now()
  const args = ['scripts/make-packages.ts', ...archs, ...(values.release ? ['--release'] : [])]
  run(hostNode(), args, { cwd: top, stdio: ['ignore', 'inherit', 'inherit'] })
  process.stderr.write(`packages (${((Date.now() - startedAt) / 1000).toFixed(1)} s)\n`)
}

/** Removes the debug symbols from Node, which saves 18 MB; leaves them if no tool for that is installed. */
function strip(arch, binary) {
  const tools = [...(process.arch === arch ? ['strip'] : []), STRIP_TOOLS[arch], 'llvm-strip']
  const stripped = join(work, `node-stripped-${arch}`)
  for (const tool of tools) {
    const result = spawnSync(tool, ['--strip-all', '-o', stripped, binary], { encoding: 'utf8' })
    if (result.status === 0) return stripped
  }
  process.stderr.write(`none of ${tools.join(', ')} is installed: the executable keeps its symbols\n`)
  return binary
}

/** Puts this Node where pkg caches what it has downloaded, so that pkg downloads nothing. */
function putNodeIntoPkgCache(home, name, binary) {
  const cache = join(home, '.pkg-cache', 'sea')
  const bin = join(cache, name, 'bin')
  mkdirSync(bin, { recursive: true })
  for (const mark of [`${name}.tar.gz`, `${name}.tar.gz.ok`, `${name}/bin/node.ok`]) {
    writeFileSync(join(cache, mark), '')
  }
  link(binary, join(bin, 'node'))
}

function hostNode() {
  const packagedNode = join(top, 'node_modules/.bin/node')
  return existsSync(packagedNode) ? packagedNode : process.execPath
}

/**
 * Returns the path of the Node for a processor. npm installs only the Node for this processor. `npm pack`
 * gets the package for another one.
 */
function nodeBinary(arch) {
  const name = `node-linux-${arch}`
  const installed = join(top, 'node_modules', name, 'bin/node')
  if (existsSync(installed)) return installed
  const { version, integrity } = lock[`node_modules/${name}`]
  const folder = join(work, `${name}-${version}`)
  const unpacked = join(folder, 'package/bin/node')
  if (existsSync(join(folder, 'complete'))) return unpacked
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  run('npm', ['pack', `${name}@${version}`, '--silent', '--pack-destination', folder], { cwd: top })
  const archive = join(folder, `${name}-${version}.tgz`)
  const actual = `sha512-${createHash('sha512').update(readFileSync(archive)).digest('base64')}`
  if (actual !== integrity) fail(`${name}@${version} is not what package-lock.json says: ${actual}`)
  run('tar', ['-xzf', archive, '-C', folder], { cwd: top })
  rmSync(archive)
  writeFileSync(join(folder, 'complete'), '')
  return unpacked
}

/** Makes a hard link if possible, because the files have 130 MB, else a copy. */
function link(from, to) {
  rmSync(to, { force: true })
  try {
    linkSync(from, to)
  } catch {
    copyFileSync(from, to)
  }
}

function run(command, args, options) {
  const result = spawnSync(command, args, { encoding: 'utf8', ...options })
  if (result.status === 0) return
  process.stderr.write(`${result.stdout ?? ''}${result.stderr ?? ''}`)
  fail(`${basename(command)} ${args.join(' ')} failed: ${result.error?.message ?? `status ${result.status}`}`)
}

function readJson(file) {
  return JSON.parse(readFileSync(join(top, file), 'utf8'))
}

function fail(message, code = 1) {
  process.stderr.write(`build: ${message}\n`)
  process.exit(code)
}
