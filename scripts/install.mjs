// Runs before the other npm scripts, under any Node ≥ 18, and uses no packages. Runs `npm ci` if the lock
// file has changed since the last time. Then builds what the gateway serves (the agent for phones, the
// console, the list of licences) if a source is newer. With --run it leaves out the development tools.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const top = fileURLToPath(new URL('..', import.meta.url))
const stampFile = `${top}node_modules/.roost-installed`
const PRINT_EVERY_MS = 5000
const onlyToRun = process.argv.includes('--run')
const lock = readFileSync(`${top}package-lock.json`, 'utf8')
const lockDigest = createHash('sha256').update(lock).digest('hex')
const onlyRunStamp = `${lockDigest} without development tools`

// On these systems npm installs the Node that runs Roost. It needs an npm that is not too old.
const isPackaged = process.platform === 'linux' && ['x64', 'arm64'].includes(process.arch)
if (isPackaged ? Number.parseInt(process.versions.node, 10) < 18 : !isRecent(process.version))
  sayTooOld(process.version, isPackaged ? '18' : '22.22.3')

const packagedFile = join(top, `node_modules/node-linux-${process.arch}/bin/node`)
const stamp = readStamp()
if (stamp !== lockDigest && !(onlyToRun && stamp === onlyRunStamp)) {
  const what = onlyToRun ? 'what Roost needs' : 'packages and development tools'
  process.stderr.write(`Installing ${what} (once; about a minute)\n`)
  await installWith(process.execPath)
  // The npm of Node 18 leaves out, without a word, what asks for a newer Node. Under the Node that it has
  // installed, the same npm installs everything.
  if (leftOut().length > 0 && existsSync(packagedFile)) await installWith(packagedFile)
  if (leftOut().length > 0) {
    process.stderr.write(
      `npm has left out ${leftOut().join(', ')}, which Roost needs on this machine. ` +
        'Install a newer npm, then try again:\n  sudo npm install --global npm\n',
    )
    process.exit(1)
  }
  writeFileSync(stampFile, onlyToRun ? onlyRunStamp : lockDigest)
}

const packagedNode = join(top, 'node_modules/.bin/node')
// The npm of Node 18 installs the package, but no link to a program that is called `node`.
if (!existsSync(packagedNode) && existsSync(packagedFile))
  symlinkSync(relative(dirname(packagedNode), packagedFile), packagedNode)
const node = existsSync(packagedNode) ? packagedNode : process.execPath
const version = spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout.trim()
if (!isRecent(version)) sayTooOld(version, '22.22.3')

if (assetsAreOld()) {
  const result = spawnSync(node, ['build.mjs', '--target', 'agent'], { cwd: top, stdio: ['ignore', 2, 2] })
  if (result.status !== 0) {
    process.stderr.write('Building the agent, the console and the list of licences failed; see above.\n')
    process.exit(1)
  }
}

/** Installs the packages with the npm of this machine, run by this Node. */
async function installWith(runtime) {
  const npm = process.env.npm_execpath
  // No package of ours needs its install script: esbuild's program is a package of its own, and Swagger UI's
  // script only reports to its makers.
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', ...(onlyToRun ? ['--omit=dev'] : [])]
  const [command, all] = npm ? [runtime, [npm, ...args]] : ['npm', args]
  const env = { ...process.env, PATH: `${dirname(runtime)}${delimiter}${process.env.PATH}` }
  if ((await run(command, all, env)) === 0) return
  process.stderr.write('npm ci failed; see above.\n')
  process.exit(1)
}

/** Packages for this processor that npm should have installed, and has not. */
function leftOut() {
  if (!isPackaged) return []
  const isMeant = ({ os, cpu, libc, dev }) =>
    os?.includes('linux') &&
    cpu?.includes(process.arch) &&
    (libc === undefined || libc.includes('glibc')) &&
    !(onlyToRun && dev)
  return Object.entries(JSON.parse(lock).packages ?? {})
    .filter(([path, one]) => isMeant(one) && !existsSync(join(top, path)))
    .map(([path]) => path.replace(/^.*node_modules\//, ''))
}

/**
 * Runs a command to its end. Prints the elapsed seconds every 5 s, because npm prints nothing without a
 * terminal.
 */
function run(command, args, env) {
  const startedAt = Date.now()
  const printElapsed = () => {
    const seconds = Math.round((Date.now() - startedAt) / 1000)
    process.stderr.write(process.stderr.isTTY ? `\r  ${seconds} s` : `  ${seconds} s\n`)
  }
  const timer = setInterval(printElapsed, PRINT_EVERY_MS)
  return new Promise(resolve => {
    const child = spawn(command, args, { cwd: top, env, stdio: ['ignore', 'ignore', 'inherit'] })
    child.on('error', () => resolve(1))
    child.on('exit', code => {
      clearInterval(timer)
      printElapsed()
      if (process.stderr.isTTY) process.stderr.write('\n')
      resolve(code)
    })
  })
}

/**
 * Whether Node is recent enough: 22.22.3 is the first with SQLite 3.51.3. On Linux npm installs such a Node
 * as a package; on other systems people install it.
 */
function isRecent(version) {
  const [major = 0, minor = 0, patch = 0] = version.replace('v', '').split('.').map(Number)
  return major > 22 || (major === 22 && (minor > 22 || (minor === 22 && patch >= 3)))
}

function sayTooOld(version, needed) {
  process.stderr.write(
    `Roost needs Node ${needed} or newer, and this is ${version}. ` +
      'Install a newer one, then try again:\n  sudo npm install --global n && sudo n 22\n',
  )
  process.exit(1)
}

function assetsAreOld() {
  const agent = join(top, 'dist/agent.mjs')
  const others = ['licenses', 'console', 'docs', 'handbook'].map(name => `dist/${name}.json`)
  if (!existsSync(agent) || others.some(file => !existsSync(join(top, file)))) return true
  const built = statSync(agent).mtimeMs
  const folders = ['src/agent', 'src/contracts', 'src/console']
  const files = folders.flatMap(folder =>
    existsSync(join(top, folder))
      ? readdirSync(join(top, folder), { recursive: true }).map(file => join(folder, file))
      : [],
  )
  // The time of the folder itself changes when a file is removed or renamed.
  const scripts = ['bundle-agent', 'bundle-console', 'bundle-handbook', 'collect-licenses'].map(
    name => `scripts/${name}.mjs`,
  )
  const inputs = ['package-lock.json', 'GUIDE.md', ...scripts, ...folders, ...files]
  return inputs.some(file => existsSync(join(top, file)) && statSync(join(top, file)).mtimeMs > built)
}

/** The stamp that the last installation wrote; null: none. */
function readStamp() {
  try {
    return readFileSync(stampFile, 'utf8')
  } catch {
    return null
  }
}
