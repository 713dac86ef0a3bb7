// Runs the tests with Node's runner: node scripts/run-tests.mjs [--quick] [FOLDER…]
//
// --quick leaves out what starts processes or a browser, or takes long: the folders of SLOW, and files named
// `*.slow.test.ts`. With folders, such as test/domain, only their tests run.
import { spawnSync } from 'node:child_process'
import { globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'

const top = fileURLToPath(new URL('..', import.meta.url))
const SLOW =
  /^test\/(agent|app\/(commands|discovery|service|threads)|docs|e2e|pool|power-cut|scripts|simulation)\//
/** Each file of these folders has a process of its own, because it mostly waits for other processes. */
const ALONE = /^test\/(console|e2e|power-cut|scripts|simulation)\//
/** The files of these folders share a process of their own. Elsewhere those of `test/<floor>` share one. */
const APART = /^test\/(contract\/dialects|app\/commands|app\/threads)(?=\/)/
/** This folder has most tests, so its files are shared out among so many processes. */
const LARGEST = 'test/contract'
const LARGEST_PARTS = 4
/** The longest start first, because at the end other processors would be idle. Two files mostly wait. */
const LONGEST_FIRST = [
  ...['e2e/kill-fleet.', 'e2e/disk.', 'contract/', 'console/', 'transport/', 'app/', 'domain/', 'agent/'],
  ...['power-cut/', 'e2e/'],
]

const { values, positionals } = parseArgs({
  options: { quick: { type: 'boolean', default: false } },
  allowPositionals: true,
})
process.chdir(top)
const bundled = spawnSync(process.execPath, [join(top, 'scripts/bundle-tests.mjs')], { encoding: 'utf8' })
if (bundled.status !== 0) {
  process.stderr.write(`The bundle of the program that the tests start could not be made:\n${bundled.stderr}`)
  process.exit(1)
}
const files = chooseFiles()
if (files.length === 0) {
  process.stderr.write(`No tests in ${positionals.join(', ')}: name folders such as test/domain.\n`)
  process.exit(2)
}
const folder = mkdtempSync(join(top, 'dist/test/groups-'))
// Node would read these certificates at each start of a gateway, for 0.15 s of CPU. No test needs them.
delete process.env.NODE_EXTRA_CA_CERTS
process.env.TEST_BUNDLE = bundled.stdout.trim()
// Caches compiled code, because the same programs are started many times.
process.env.NODE_COMPILE_CACHE = join(top, 'dist/test/compiled')
const tests = run({
  files: programs(files),
  // Two more than there are processors, because many tests mostly wait for a phone, a timer or the disk.
  concurrency: availableParallelism() + 2,
})
tests.on('test:fail', () => {
  process.exitCode = 1
})
await pipeline(tests.compose(new spec()), process.stdout, { end: false })
rmSync(folder, { recursive: true })

function chooseFiles() {
  const wanted = positionals.length > 0 ? positionals.map(folder => folder.replace(/\/*$/, '/')) : ['test/']
  return globSync('test/**/*.test.ts')
    .filter(file => wanted.some(folder => file.startsWith(folder)))
    .filter(file => !values.quick || !(SLOW.test(file) || file.endsWith('.slow.test.ts')))
    .sort((a, b) => rank(a) - rank(b) || a.localeCompare(b))
}

function rank(file) {
  const at = LONGEST_FIRST.findIndex(start => file.startsWith(`test/${start}`))
  return at === -1 ? LONGEST_FIRST.length : at
}

/**
 * The programs to run: a file that runs alone, or a program that loads the files of a group, so that code is
 * loaded once for all of them. Each file is a suite there: its own `before` and `after` apply to it alone.
 */
function programs(files) {
  const groups = Map.groupBy(files, (file, index) => {
    if (ALONE.test(file)) return file
    const floor = APART.exec(file)?.[0] ?? file.split('/', 2).join('/')
    return floor === LARGEST ? `${floor}-${index % LARGEST_PARTS}` : floor
  })
  return [...groups].map(([group, members]) => {
    if (members.length === 1) return join(top, members[0])
    const program = join(folder, `${group.replaceAll('/', '-')}.mjs`)
    const suites = members.map(file => `suiteFrom('${file}')\n`)
    const kit = pathToFileURL(join(top, 'test/kit/file-suites.ts')).href
    writeFileSync(program, `import { suiteFrom } from '${kit}'\n${suites.join('')}`)
    return program
  })
}
