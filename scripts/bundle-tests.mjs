// Prints the folder of the bundle from which the tests start programs. Makes the bundle first if the sources
// have changed: node scripts/bundle-tests.mjs
//
// The folder's name is a digest of every file in the bundle. So a test run keeps its bundle while sources are
// edited, and runs of different sources never write to the same folder.
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const top = fileURLToPath(new URL('..', import.meta.url))
const home = join(top, 'dist/test')
const OLD_MS = 24 * 3600 * 1000

/** Programs and threads that only tests use. They become `<name>.js` beside the files of the gateway. */
const PROGRAMS = /\.(entry|program)\.ts$/

const sources = [...filesIn('src'), ...filesIn('test').filter(file => !file.endsWith('.test.ts'))]
const inputs = [...sources, ...filesIn('scripts').filter(file => /(bundle-|native-uws|licenses)/.test(file))]
const folder = join(home, digestOf([...inputs, 'GUIDE.md', 'package.json', 'package-lock.json']))
if (!existsSync(folder)) {
  removeOld()
  await makeBundle()
}
process.stdout.write(`${folder}\n`)

async function makeBundle() {
  const { bundleProgram } = await import('#scripts/bundle-program.mjs')
  const partial = `${folder}.${process.pid}`
  mkdirSync(partial, { recursive: true })
  const own = sources.filter(file => file.startsWith('test/') && PROGRAMS.test(file))
  const moreEntries = Object.fromEntries(own.map(file => [basename(file).replace(PROGRAMS, ''), file]))
  const inputs = await bundleProgram({ arch: process.arch, folder: partial, moreEntries, sourcemap: true })
  writeFileSync(join(partial, 'inputs.json'), JSON.stringify(inputs))
  try {
    renameSync(partial, folder)
  } catch (error) {
    // Another run has made the same bundle in the meantime.
    rmSync(partial, { recursive: true, force: true })
    if (!existsSync(folder)) throw error
  }
}

function filesIn(name) {
  const files = readdirSync(join(top, name), { recursive: true, withFileTypes: true })
  return files
    .filter(file => file.isFile())
    .map(file => join(file.parentPath, file.name).slice(top.length))
    .sort()
}

function digestOf(files) {
  const hash = createHash('sha256')
  for (const file of files) hash.update(`${file}\0`).update(readFileSync(join(top, file)))
  return hash.digest('hex').slice(0, 16)
}

/** Removes bundles that were made more than a day ago. */
function removeOld() {
  if (!existsSync(home)) return
  for (const name of readdirSync(home)) {
    const path = join(home, name)
    if (Date.now() - statSync(path).mtimeMs > OLD_MS) rmSync(path, { recursive: true, force: true })
  }
}
