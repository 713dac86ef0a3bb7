import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { type DataDirectory, dataDirectory } from '#storage/data-directory.ts'
import { openReadOnly, openWritable } from '#storage/database.ts'
import { MIGRATIONS, migrate } from '#storage/migrate.ts'
import { bundled } from '#test/kit/bundle.ts'
import { HANGS_AFTER_MS } from '#test/kit/patience.ts'
import { Random } from '#test/kit/random.ts'
import { temporaryDirectory } from '#test/kit/temporary-directory.ts'
import { sized } from '#test/kit/test-size.ts'

/** Enough messages for three slices of the migration that moves them. */
const MANY = 12_000
const FEW = 40
const KILLS = sized(4, 60)
/** The last schema before the messages are moved. */
const BEFORE_MOVE = 17

/** Queries for the rows of the first schema, in columns that every later schema has. */
const ROWS = [
  'SELECT id, email, plan, created_at FROM account',
  'SELECT id, account_id, token_hash, name, sims, paused, paired_at, announced_online FROM device',
  'SELECT * FROM idempotency ORDER BY scope, key',
  'SELECT id, device_id, account_id, phone_message_id, sender, text, received_at FROM received ORDER BY id',
  `SELECT id, account_id, test, kind, phone_number, country, text, segments, encoding, priority, sim_slot,
    pinned, created_at, expires_at, notification_url, webhook_id, status, device_id, attempt, not_before,
    sent_at, delivered_at, failure, timeline FROM message ORDER BY id`,
]

const FILL = `
  INSERT INTO account (id, email, plan, created_at) VALUES ('acc_1', 'owner@localhost', 'pro', 1);
  INSERT INTO device (id, account_id, name, sims, paused, paired_at, last_seen_at, announced_online, sent_day,
    sent_count) VALUES ('dev_1', 'acc_1', 'shelf', '[]', 0, 1, 1, 0, 0, 0);
  INSERT INTO idempotency VALUES ('acc_1', 'once', 'digest', '{}', 1768478400000);
  INSERT INTO received (id, device_id, account_id, phone_message_id, sender, text, received_at)
    VALUES ('rcv_1', 'dev_1', 'acc_1', '7', '+14155550144', 'yes', 1768478400000);`

/** For schemas below `USAGE_DAY_ENDS`. */
const FILL_USAGE = "INSERT INTO usage_day VALUES ('acc_1', 20468, 3, 1)"
/** The schema that has no table of that name any more. */
const USAGE_DAY_ENDS = 30

/** Inserts messages: some emptied by retention, some open, several in each millisecond. */
const FILL_MESSAGES = `
  WITH RECURSIVE made (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM made WHERE n < ? - 1)
  INSERT INTO message (id, account_id, test, kind, phone_number, country, text, segments, encoding, priority,
    pinned, created_at, expires_at, status, device_id, attempt, not_before, failure, timeline)
  SELECT printf('msg_%026d', n), 'acc_' || (n % 3), n % 7 = 0, 'sms',
    iif(n % 5 = 0, '', '+1415555' || (n % 9000)), iif(n % 2, 'US', NULL), 'text ' || n, 1, 'GSM-7', 'normal',
    0, 1768000000000 + n / 4 * 1000, 1769000000000, iif(n % 20 = 1, 'queued', 'sent'), 'dev_1', 1, 0,
    iif(n % 11, NULL, '{}'), '[]' FROM made`

test('kill -9 once in each migration loses no row', { timeout: HANGS_AFTER_MS }, t => {
  const { directory, rows } = makeOld(t, 1, MANY)
  let kills = 0
  // Each start completes the migration that was killed before, and is killed in the next one.
  while (!open(directory, 'commit', 2)) kills += 1
  t.diagnostic(`${kills} kills`)
  assert.ok(kills > MIGRATIONS.length, 'each migration was killed, the last one several times')
  assert.deepEqual(readRows(directory), rows)
  assert.deepEqual(readdirSync(join(directory.path, 'backups')), ['before-schema-2.backup'])
})

test('kill -9 anywhere in the migration of messages loses none', { timeout: HANGS_AFTER_MS }, t => {
  const seed = Math.floor(Math.random() * 2 ** 32)
  t.diagnostic(`seed ${seed}`)
  const dice = new Random(seed)
  const { directory, rows } = makeOld(t, BEFORE_MOVE, MANY)
  for (let kill = 0; kill < KILLS; kill++) open(directory, 'statement', 1 + dice.below(MANY / 2))
  assert.ok(open(directory, 'statement', 0))
  assert.deepEqual(readRows(directory), rows)
})

for (const version of someVersions())
  test(`a database of schema ${version} whose migration was killed is intact after the next start`, t => {
    const { directory, rows } = makeOld(t, version, FEW)
    assert.ok(!open(directory, 'commit', 1))
    assert.ok(open(directory, 'commit', 0))
    assert.deepEqual(readRows(directory), rows)
  })

/** Each schema but the last; in `npm test` five of them, others in each run. */
function someVersions(): readonly number[] {
  const versions = Array.from({ length: MIGRATIONS.length - 1 }, (_, i) => i + 1)
  const dice = new Random(Math.floor(Math.random() * 2 ** 32))
  while (versions.length > sized(5, MIGRATIONS.length)) versions.splice(dice.below(versions.length), 1)
  return versions
}

/** Makes a data directory with a database of that schema, and reads its rows. */
function makeOld(t: TestContext, version: number, messages: number) {
  const directory = dataDirectory(temporaryDirectory(t))
  const database = openWritable(directory.database)
  migrate(database, { migrations: MIGRATIONS.slice(0, version) })
  database.exec(FILL)
  if (version < USAGE_DAY_ENDS) database.exec(FILL_USAGE)
  database.prepare(FILL_MESSAGES).run(messages)
  database.close()
  return { directory, rows: readRows(directory) }
}

/** Opens the directory, killed before the given statement or commit (0: never). @returns whether it lived */
function open({ path }: DataDirectory, before: 'statement' | 'commit', count: number): boolean {
  const run = spawnSync(process.execPath, [bundled('mortal-migration'), path, before, String(count)], {
    encoding: 'utf8',
  })
  if (run.signal !== 'SIGKILL') assert.equal(run.status, 0, run.stderr)
  return run.status === 0
}

function readRows({ database: file }: DataDirectory) {
  const database = openReadOnly(file)
  try {
    return ROWS.map(sql => database.prepare(sql).all())
  } finally {
    database.close()
  }
}
