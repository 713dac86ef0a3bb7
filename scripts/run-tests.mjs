// Runs the tests: node scripts/run-tests.mjs [--quick] [FOLDER…]
//
// First bundles the program that tests start, and the test files, because loading hundreds of source files
// takes longer than most tests.
// --quick leaves out the tests that start a process or a browser, or take long. With folders, such as
// test/domain, only their tests run.
import { spawnSync } from 'node:child_process'
import { globSync, rmSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { bundleTestFiles } from '#scripts/bundle-test-files.mjs'
import { groupTestFiles } from '#scripts/group-test-files.mjs'

const top = fileURLToPath(new URL('..', import.meta.url))
/** Left out by --quick: folders, and files of other folders. */
const SLOW = [
  'test/agent/',
  'test/app/certificate/take-over',
  'test/app/commands/',
  'test/app/config/find-data-directory',
  'test/app/discovery/',
  'test/app/service/',
  'test/app/threads/',
  'test/console/copy',
  'test/console/docs',
  'test/console/journey',
  'test/console/proxy',
  'test/contract/alerts-survive',
  'test/contract/backup',
  'test/contract/bodies',
  'test/contract/credentials',
  'test/contract/generated-client',
  'test/contract/live',
  'test/contract/lost-commits',
  'test/docs/',
  'test/domain/alert/render-alert.property',
  'test/e2e/',
  'test/pool/',
  'test/power-cut/',
  'test/scripts/',
  'test/simulation/',
]
/** The longest tests start first. If a long test started last, other processors would be idle at the end. */
const LONGEST_FIRST = [
  'test/contract/',
  'test/console/',
  'test/transport/',
  'test/app/',
  'test/domain/',
  'test/agent/',
  'test/power-cut/',
  'test/e2e/',
  'test/',
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
const folder = await bundleTestFiles(files)
// Node would read these certificates at each start of a gateway, for 0.15 s of CPU. No test needs them.
delete process.env.NODE_EXTRA_CA_CERTS
process.env.TEST_BUNDLE = bundled.stdout.trim()
// Caches compiled code, because the same programs are started many times.
process.env.NODE_COMPILE_CACHE = join(folder, 'compiled')
const tests = run({
  files: groupTestFiles(folder, files),
  // Two more than there are processors, because many tests mostly wait for a phone, a timer or the disk.
  concurrency: availableParallelism() + 2,
})
tests.on('test:fail', () => {
  process.exitCode = 1
})
await pipeline(tests.compose(new spec()), process.stdout, { end: false })
rmSync(folder, { recursive: true })
if (process.exitCode === 1)
  process.stderr.write('\nFor a trace with the lines of the sources: node --test test/<the file>.test.ts\n')

function chooseFiles() {
  const excluded = values.quick ? SLOW : []
  const wanted = positionals.length > 0 ? positionals.map(folder => folder.replace(/\/*$/, '/')) : ['test/']
  return globSync('test/**/*.test.ts')
    .filter(file => wanted.some(folder => file.startsWith(folder)))
    .filter(file => !excluded.some(folder => file.startsWith(folder)))
    .sort((a, b) => rank(a) - rank(b) || a.localeCompare(b))
}

function rank(file) {
  return LONGEST_FIRST.findIndex(folder => file.startsWith(folder))
}
