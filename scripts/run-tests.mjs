// Runs the tests: node scripts/run-tests.mjs [--quick]
//
// The bundle that they start programs from is made once, before any of them. A folder whose suites share a
// process, test/NAME.group.ts, is run by that file. --quick leaves out the folders whose tests start
// processes or go on for long: they wait for others more than they work.
import { spawnSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

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
  process.stderr.write(`The bundle that tests start programs from could not be made.\n${bundled.stderr}`)
  process.exit(1)
}
// One file more than there are processors: many tests wait most of the time, for a phone, a timer or a disk.
const options = ['--test', `--test-concurrency=${availableParallelism() + 1}`, '--test-reporter=spec']
const run = spawnSync(process.execPath, [...options, ...files()], {
  cwd: top,
  stdio: 'inherit',
  env: { ...process.env, TEST_BUNDLE: bundled.stdout.trim() },
})
process.exit(run.status ?? 1)

function files() {
  const groups = globSync('test/*.group.ts', { cwd: top })
  const grouped = groups.map(file => file.replace(/\.group\.ts$/, '/'))
  const left = values.quick ? [...grouped, ...SLOW] : grouped
  const single = globSync('test/**/*.test.ts', { cwd: top })
  return [...groups, ...single.filter(file => !left.some(folder => file.startsWith(folder)))]
}
