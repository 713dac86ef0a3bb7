// Runs the tests: node scripts/run-tests.mjs [--quick]
//
// First bundles the program that tests start, and the test files: to load the sources takes longer than most
// tests. test/NAME.group.ts runs the tests of the folder test/NAME in one process, from the sources. --quick
// leaves out the folders whose tests start processes or take long.
import { spawnSync } from 'node:child_process'
import { globSync, rmSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { bundleTestFiles } from '#scripts/bundle-test-files.mjs'

const top = fileURLToPath(new URL('..', import.meta.url))
const SLOW = [
  'test/agent/',
  'test/app/commands/',
  'test/e2e/',
  'test/power-cut/',
  'test/scripts/',
  'test/simulation/',
]

const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false } } })
const bundled = spawnSync(process.execPath, [join(top, 'scripts/bundle-tests.mjs')], { encoding: 'utf8' })
if (bundled.status !== 0) {
  process.stderr.write(`The bundle of the program that the tests start could not be made:\n${bundled.stderr}`)
  process.exit(1)
}
const { groups, single } = files()
const folder = await bundleTestFiles(single)
const run = spawnSync(process.execPath, [...runnerOptions(), ...groups, ...single.map(inBundle)], {
  cwd: top,
  stdio: 'inherit',
  // Caches compiled code, because the same programs are started many times.
  env: {
    ...process.env,
    TEST_BUNDLE: bundled.stdout.trim(),
    NODE_COMPILE_CACHE: join(folder, 'compiled'),
  },
})
rmSync(folder, { recursive: true })
if (run.status !== 0)
  process.stderr.write('\nFor a trace with the lines of the sources: node --test test/<the file>.test.ts\n')
process.exit(run.status ?? 1)

function runnerOptions() {
  // One file more than there are processors, because many tests mostly wait for a phone, a timer or the disk.
  return ['--test', `--test-concurrency=${availableParallelism() + 1}`, '--test-reporter=spec']
}

function inBundle(file) {
  return join(folder, file.replace(/\.ts$/, '.js'))
}

function files() {
  const groups = globSync('test/*.group.ts', { cwd: top })
  const grouped = groups.map(file => file.replace(/\.group\.ts$/, '/'))
  const left = values.quick ? [...grouped, ...SLOW] : grouped
  const single = globSync('test/**/*.test.ts', { cwd: top })
  return { groups, single: single.filter(file => !left.some(folder => file.startsWith(folder))) }
}
