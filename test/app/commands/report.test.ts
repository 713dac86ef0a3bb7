/** `roost report` without a gateway. `doctor.test.ts` has it beside a running one. */
import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { makeReport } from '#app/commands/make-report.ts'
import { MODEM_MODELS } from '#contracts/modem.ts'
import { quarterOf } from '#domain/account/day-counts.ts'
import { date, dayOf, HOUR_MS } from '#domain/time.ts'
import { dataDirectory } from '#storage/data-directory.ts'
import { migrate } from '#storage/migrate.ts'
import { DatabaseSync } from '#storage/sqlite.ts'
import { runHere } from '#test/kit/run-roost.ts'
import { temporaryDirectory } from '#test/kit/temporary-directory.ts'

const MARKER = 'Zebra'
/** What the doctor reads of columns with JSON. */
const OBJECT = JSON.stringify({ code: MARKER, name: MARKER, phoneNumber: MARKER })
const NOW = Date.now()

/** A data directory whose database is given to `fill`. */
function placeWith(t: TestContext, fill: (database: DatabaseSync, file: string) => void) {
  const cwd = temporaryDirectory(t)
  const dataDir = join(cwd, 'data')
  mkdirSync(dataDir)
  const file = dataDirectory(dataDir).database
  const database = new DatabaseSync(file)
  migrate(database)
  fill(database, file)
  database.close()
  const report = (...args: readonly string[]) => runHere(['report', ...args, '--data', dataDir], { cwd })
  return { cwd, file, report }
}

/** One row in each table, with the marker in each column that takes text. Returns how many took it. */
function plantMarkers(database: DatabaseSync): number {
  database.exec('PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON')
  let planted = 0
  for (const { name: table } of database
    .prepare("SELECT name FROM pragma_table_list WHERE type = 'table'")
    .all()) {
    if (String(table).startsWith('sqlite_')) continue
    const columns = database.prepare(`PRAGMA table_info(${table})`).all()
    const contentOf = ({ name, type }: (typeof columns)[number]) => {
      if (type === 'BLOB') return Buffer.from(MARKER)
      if (type === 'TEXT') return ['failure', 'content'].includes(String(name)) ? OBJECT : `[${OBJECT}]`
      if (name === 'serial') return NOW * 1000
      if (name === 'quarter') return quarterOf(NOW)
      return name === 'test' ? 0 : NOW
    }
    planted += columns.filter(({ type }) => type === 'TEXT').length
    database
      .prepare(`INSERT OR REPLACE INTO ${table} VALUES (${columns.map(() => '?').join(', ')})`)
      .run(...columns.map(contentOf))
  }
  return planted
}

test('nothing that came from outside is in a report of a full database', async t => {
  const { report, file } = placeWith(t, database => assert.ok(plantMarkers(database) > 100))
  const { code, stdout, stderr } = await report()
  assert.equal(code, 0, stderr)
  assert.ok(readFileSync(file).includes(MARKER))
  assert.doesNotMatch(stdout, new RegExp(MARKER, 'i'))
  const { phones, outcomes, days } = JSON.parse(stdout)
  const [hour] = outcomes.map(({ from }: { from: string }) => from)
  assert.match(hour, /T\d\d:00:00\.000Z$/)
  const ofOther = { kind: 'other', outcome: 'other', count: 1, from: hour, until: hour }
  assert.deepEqual(outcomes, [{ day: date(dayOf(NOW)), ...ofOther }])
  assert.deepEqual(phones, [{ kind: 'other', driver: 'other', lastSeen: hour }])
  assert.equal(days.length, 30)
})

test('what the lists know is counted under its name', async t => {
  const { report } = placeWith(t, database => {
    plantMarkers(database)
    database.exec(`
      UPDATE message SET kind = 'webhook', status = 'failed', failure = '{"code":"NO_SERVICE"}';
      UPDATE device SET protocol = 'modem', driver = 'modem';
      UPDATE usage_quarter SET accepted = 7, failed = 3`)
  })
  const { phones, outcomes, days } = JSON.parse((await report('--json')).stdout)
  assert.deepEqual([outcomes[0].kind, outcomes[0].outcome], ['webhook', 'NO_SERVICE'])
  assert.deepEqual([phones[0].kind, phones[0].driver], ['modem', 'modem'])
  const { day, accepted, failed } = days.at(-1)
  assert.deepEqual([day, accepted, failed], [date(dayOf(NOW)), 7, 3])
})

test('a report is a new file, which only its owner reads', async t => {
  const { report, cwd } = placeWith(t, () => {})
  const { code, stdout } = await report('out.json')
  const file = join(cwd, 'out.json')
  assert.deepEqual([code, stdout], [0, `${file}\n`])
  assert.equal(statSync(file).mode & 0o777, 0o600)
  assert.deepEqual(JSON.parse(readFileSync(file, 'utf8')).phones, [])
  const again = await report('out.json')
  assert.equal(again.code, 1)
  assert.match(again.stderr, /out\.json exists: name another file/)
  assert.match((await report('no/out.json')).stderr, /there is no directory for .*no\/out\.json/)
})

test('a database that cannot be read is named, and the report has the rest', async t => {
  const cases: readonly [fault: RegExp, spoil: (database: DatabaseSync, file: string) => void][] = [
    [/a newer version of Roost made the database/, database => database.exec('PRAGMA user_version = 9999')],
    [/empty or of an older version: start the gateway/, database => database.exec('PRAGMA user_version = 9')],
    [/the database is damaged/, (_, file) => writeFileSync(file, 'not a database '.repeat(1000))],
  ]
  for (const [fault, spoil] of cases) {
    const { report } = placeWith(t, spoil)
    const { code, stdout, stderr } = await report()
    assert.equal(code, 0, stderr)
    assert.match(stderr, fault)
    const { versions, days } = JSON.parse(stdout)
    assert.deepEqual([days, typeof versions.roost], [null, 'string'])
  }
})

test('without a gateway in the folder there is no report, and no file', async t => {
  const cwd = temporaryDirectory(t)
  mkdirSync(join(cwd, 'data'))
  const { code, stderr } = await runHere(['report', 'out.json', '--data', 'data'], { cwd })
  assert.equal(code, 1)
  assert.match(stderr, /There is no gateway in .*data: Name its data directory/)
  assert.throws(() => statSync(join(cwd, 'out.json')), { code: 'ENOENT' })
})

test('a modem has the name of its model from a list that the handbook has, or no name', t => {
  const guide = readFileSync('GUIDE.md', 'utf8')
  for (const model of Object.values(MODEM_MODELS).flat()) assert.ok(guide.includes(model), model)
  const modem = (model: string) => ({ imei: MARKER, model, operator: MARKER })
  const modems = [modem('QUALCOMM SIMCOM_SIM7600G-H'), modem(MARKER)]
  const gateway = { running: { version: MARKER, startedAt: NOW } }
  const facts = { now: NOW, gateway, modems: { modems } }
  const seen = { dataDir: temporaryDirectory(t), facts, findings: [] } as never
  const report = makeReport(seen, () => {})
  assert.deepEqual(report.modems, ['SIMCom SIM7600', 'other'])
  const startedAt = new Date(Math.floor(NOW / HOUR_MS) * HOUR_MS).toISOString()
  assert.deepEqual(report.gateway, { isSameVersion: false, startedAt })
})
