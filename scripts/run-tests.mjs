// Runs the tests with Node's runner: node scripts/run-tests.mjs [--quick] [FOLDER…]
//
// --quick leaves out what starts processes or a browser, or takes long: the folders of SLOW, and files named
// `*.slow.test.ts`. With folders, such as test/domain, only their tests run.
//
// The files are dealt by the seconds that they took last time. Those that compute run in as many processes as
// there are processors, those that wait run beside them. A file that fails is run once more, alone: if it
// passes then, the run says so, and has failed only under CI.
import { spawnSync } from 'node:child_process'
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'

const top = fileURLToPath(new URL('..', import.meta.url))
const SLOW =
  /^test\/(agent|app\/(commands|discovery|service|threads)|docs|e2e|pool|power-cut|scripts|simulation)\//
/**
 * Files that share processes, because each new process costs more than most tests do: in how many, and
 * whether they mostly wait, for other processes, a browser, a phone, a timer or the disk. The first pattern
 * counts.
 * Other files of `test/<floor>` share one process and compute.
 */
const GROUPS = [
  // It takes the place of a browser, with a fetch of its own, which no other file may meet.
  { files: /^test\/console\/login-cache/, processes: 1, waits: false },
  { files: /^test\/(e2e|power-cut|scripts)\//, processes: Number.POSITIVE_INFINITY, waits: true },
  { files: /^test\/console\/.*\.slow\./, processes: 4, waits: true },
  { files: /^test\/agent\//, processes: 3, waits: true },
  { files: /^test\/app\/(commands|service)\//, processes: 2, waits: true },
  { files: /^test\/app\/threads\//, processes: 2, waits: true },
  { files: /^test\/docs\//, processes: 1, waits: true },
  { files: /^test\/simulation\//, processes: 1, waits: false },
  // What renders the corpus of alerts does so once.
  { files: /^test\/domain\/alert\//, processes: 1, waits: false },
  { files: /^test\/contract\/dialects\//, processes: 1, waits: false },
  { files: /^test\/contract\//, processes: availableParallelism(), waits: false },
]
/** So many processes that wait run at a time, beside those that compute, one for each processor. */
const WAITING_MAX = 3
/** Files that use a browser. They share one. */
const IN_BROWSER = /^test\/console\/.*\.slow\./
/** A guess, in seconds, for files that have not run yet, as in each fresh clone. */
const GUESS = {
  agent: 3,
  app: 2,
  console: 10,
  contract: 5,
  docs: 4,
  domain: 2,
  e2e: 20,
  pool: 7,
  'power-cut': 60,
  scripts: 4,
  simulation: 30,
  transport: 4,
}
/** Node counts failures of these types as cancelled. */
const CANCELLED = new Set(['cancelledByParent', 'testAborted', 'testTimeoutFailure'])
/** Under CI a process that never ends has failed after this time. A slow computer may need more. */
const PROCESS_MS_MAX = process.env.CI ? 900_000 : undefined
/** Files that may need a second try under CI, each with the reason. It should be empty. */
const MAY_FAIL_ONCE = {}

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
const notes = join(top, 'dist/test/seconds.json')
const seconds = existsSync(notes) ? JSON.parse(readFileSync(notes, 'utf8')) : {}
const started = performance.now()
const report = new spec()
report.pipe(process.stdout)
const browser = await openBrowser()
/** What came of each file, by its last try. */
const results = new Map()
const programs = programsOf(files)
const [waiting, computing] = [true, false].map(wanted => programs.filter(({ waits }) => waits === wanted))
await Promise.all([runAll(computing, availableParallelism()), runAll(waiting, WAITING_MAX)])
await browser?.close()
// A file that is tried again starts its own.
delete process.env.TEST_BROWSER
writeFileSync(notes, JSON.stringify({ ...seconds, ...takenSeconds() }))
const firstResults = new Map(results)
const failedFirst = files.filter(file => results.get(file)?.passed !== true)
await tryAgain()
conclude()
rmSync(folder, { recursive: true })

function chooseFiles() {
  const wanted = positionals.length > 0 ? positionals.map(folder => folder.replace(/\/*$/, '/')) : ['test/']
  return globSync('test/**/*.test.ts')
    .filter(file => wanted.some(folder => file.startsWith(folder)))
    .filter(file => !values.quick || !(SLOW.test(file) || file.endsWith('.slow.test.ts')))
}

function secondsOf(file) {
  return seconds[file] ?? GUESS[file.split('/')[1]] ?? 1
}

/** The programs to run, the longest first, because at the end other processors would be idle. */
function programsOf(files) {
  const groups = Map.groupBy(
    files,
    file => GROUPS.find(group => group.files.test(file)) ?? file.split('/')[1],
  )
  return [...groups]
    .flatMap(([{ processes = 1, waits = false }, members]) =>
      deal(members, processes).map(({ members, seconds }) => ({ members, seconds, waits })),
    )
    .sort((a, b) => b.seconds - a.seconds)
    .map((program, nth) => ({ ...program, path: writeProgram(`${nth}`, program.members) }))
}

/** Deals files to so many hands that take equally long, the longest first. */
function deal(files, count) {
  const hands = Array.from({ length: Math.min(count, files.length) }, () => ({ members: [], seconds: 0 }))
  for (const file of files.toSorted((a, b) => secondsOf(b) - secondsOf(a) || a.localeCompare(b))) {
    // Files that took no time must not share a hand while another one is empty.
    const hand = hands.toSorted((a, b) => a.seconds - b.seconds || a.members.length - b.members.length)[0]
    hand.members.push(file)
    hand.seconds += secondsOf(file)
  }
  return hands
}

/** Each file is a suite of its program: its own `before` and `after` apply to it alone. */
function writeProgram(name, members) {
  const path = join(folder, `${name}-${members[0].replaceAll('/', '-')}.mjs`)
  const suites = members.map(file => `suiteFrom('${file}')\n`)
  const kit = pathToFileURL(join(top, 'test/kit/file-suites.ts')).href
  writeFileSync(path, `import { suiteFrom } from '${kit}'\n${suites.join('')}`)
  return path
}

/** Runs programs, reports each file once it has ended, and keeps its result. */
async function runAll(programs, concurrency) {
  if (programs.length === 0) return
  const members = new Map(programs.map(program => [program.path, program.members]))
  let events = []
  for await (const event of run({ files: [...members.keys()], concurrency, timeout: PROCESS_MS_MAX })) {
    const { type, data } = event
    // Node counts the tests of each run. They are counted below, once for all.
    if (type === 'test:summary' || (type === 'test:diagnostic' && data.nesting === 0)) continue
    events.push(event)
    if ((type !== 'test:pass' && type !== 'test:fail') || data.nesting > 0) continue
    for (const one of events) report.write(one)
    // A test that was declared in the suite of another file has not run, or not at its place.
    const isEmpty = members.has(data.name) ? false : !events.some(({ data }) => data.nesting > 0)
    if (isEmpty) say(`no test of ${data.name} ran`, 'error')
    const passed = type === 'test:pass' && !isEmpty
    const result = { passed, seconds: data.details.duration_ms / 1000, events }
    if (!members.has(data.name)) results.set(data.name, result)
    // The process itself has failed, so that none of its files can be trusted.
    else if (!result.passed)
      for (const file of members.get(data.name)) results.set(file, { ...result, seconds: 0 })
    events = []
  }
  for (const one of events) report.write(one)
}

function takenSeconds() {
  const taken = [...results].filter(([, result]) => result.seconds > 0)
  return Object.fromEntries(taken.map(([file, result]) => [file, Math.round(result.seconds * 10) / 10]))
}

async function tryAgain() {
  if (failedFirst.length === 0) return
  say(`what failed runs once more, alone: ${failedFirst.join(' ')}`, 'warn')
  await runAll(
    failedFirst.map(file => ({ path: writeProgram('again', [file]), members: [file] })),
    1,
  )
}

/** Starts the browser that the files of the console share, if they run and there is one. */
async function openBrowser() {
  if (!files.some(file => IN_BROWSER.test(file))) return undefined
  const { serveBrowser } = await import('#test/kit/console-browser.ts')
  const browser = await serveBrowser()
  if (browser !== undefined) process.env.TEST_BROWSER = browser.wsEndpoint()
  return browser
}

/** Says what was skipped and what needed a second try, and ends as Node's runner does, with its counts. */
function conclude() {
  const [passed, failed] = [true, false].map(wanted =>
    failedFirst.filter(file => (results.get(file)?.passed === true) === wanted),
  )
  const refused = process.env.CI ? passed.filter(file => !(file in MAY_FAIL_ONCE)) : []
  for (const file of refused) results.set(file, firstResults.get(file))
  const ended = [...results.values()].flatMap(({ events }) => events)
  for (const line of skippedLines(ended)) say(line)
  for (const file of passed) say(`passed only at the second try: ${file}`, 'warn')
  for (const file of refused) say(`under CI a second try is a failure: ${file}`, 'error')
  for (const file of failed) say(`failed twice: ${file}`, 'error')
  const counts = countTests(ended)
  for (const [name, count] of Object.entries(counts)) say(`${name} ${count}`)
  say(`duration_ms ${performance.now() - started}`)
  report.end()
  if (failed.length + refused.length > 0) process.exitCode = 1
}

function say(message, level = 'info') {
  report.write({ type: 'test:diagnostic', data: { nesting: 0, message, level } })
}

/** A line for each reason why tests or suites were skipped. The reason says how to get what they lack. */
function skippedLines(events) {
  const skipped = events.filter(({ type, data }) => type === 'test:pass' && data.skip !== undefined)
  const reasons = Map.groupBy(skipped, ({ data }) => data.skip)
  return [...reasons].map(([reason, all]) => `skipped ${all.length}: ${reason}`)
}

/** The counts of Node's runner, in its order. */
function countTests(events) {
  const ended = events.filter(({ type }) => type === 'test:pass' || type === 'test:fail')
  const counts = { tests: 0, suites: 0, pass: 0, fail: 0, cancelled: 0, skipped: 0, todo: 0 }
  for (const { type, data } of ended) {
    if (data.details.type === 'suite') {
      counts.suites += 1
      continue
    }
    counts.tests += 1
    if (data.skip !== undefined) counts.skipped += 1
    else if (data.todo !== undefined) counts.todo += 1
    else if (type === 'test:pass') counts.pass += 1
    else if (CANCELLED.has(data.details.error?.failureType)) counts.cancelled += 1
    else counts.fail += 1
  }
  return counts
}
