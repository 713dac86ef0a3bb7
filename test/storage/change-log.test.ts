import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { ENTRY_BYTES_MAX } from '#contracts/cluster.ts'
import { ChangeLog } from '#storage/change-log.ts'
import { EntryOpener, sealEntry, TermKey } from '#storage/cluster-entry.ts'
import { type DataDirectory, dataDirectory } from '#storage/data-directory.ts'
import { openWritable } from '#storage/database.ts'
import { CopyDiffers, LogFollower, type LoggedValue, makeCommitMark } from '#storage/log-follower.ts'
import { hashOfEntry, membershipOf, writeMembership } from '#storage/membership.ts'
import { MIGRATIONS, migrate } from '#storage/migrate.ts'
import type { DatabaseSync } from '#storage/sqlite.ts'
import { isTransient, LeadershipLost } from '#storage/sqlite-fault.ts'
import { Transactor } from '#storage/transaction.ts'
import { temporaryDirectory } from '#test/kit/temporary-directory.ts'

const KEY = new Uint8Array(32).fill(7)
const ID = 'clu_test'
const SALT = new Uint8Array(16).fill(3)
const FIRST = sealEntry(
  new TermKey(KEY, SALT),
  { clusterId: ID, number: 1 },
  { kind: 'lead', schema: MIGRATIONS.length, previous: new Uint8Array(32), body: new Uint8Array() },
)

/** A member's database after the founding entry, migrated to `schema`. */
function makeMember(t: TestContext, schema = MIGRATIONS.length): DataDirectory {
  const folder = temporaryDirectory(t)
  mkdirSync(join(folder, 'data'))
  const directory = dataDirectory(join(folder, 'data'))
  const database = openWritable(directory.database)
  migrate(database, { migrations: MIGRATIONS.slice(0, schema) })
  writeMembership(database, { clusterId: ID, entry: 1, hash: hashOfEntry(FIRST) })
  database.close()
  makeCommitMark(directory)
  return directory
}

/** A leader's connection, whose entries go to `log`. */
function lead(t: TestContext, log: LoggedValue[], directory = makeMember(t)) {
  const database = openWritable(directory.database)
  t.after(() => database.close())
  let isLeading = true
  let hasRoom = true
  const append = (number: number, value: Uint8Array) => {
    if (isLeading) log.push({ number, value })
    return isLeading
  }
  const transactor = new Transactor(
    database,
    new ChangeLog(database, { clusterKey: KEY, salt: SALT, append, hasRoom: () => hasRoom }),
  )
  const write = (sql: string) => transactor.transact(() => database.exec(sql))
  return {
    directory,
    database,
    write,
    depose: () => {
      isLeading = false
    },
    setRoom: (has: boolean) => {
      hasRoom = has
    },
  }
}

function follow(t: TestContext, directory = makeMember(t)): LogFollower {
  const follower = LogFollower.open(directory, () => KEY)
  assert.ok(follower)
  t.after(() => follower.close())
  return follower
}

const account = (id: string) =>
  `INSERT INTO account (id, email, plan, created_at) VALUES ('${id}', '${id}@x', 'pro', 1);`

function dump(database: DatabaseSync): string {
  const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").all()
  const shared = tables
    .map(({ name }) => String(name))
    .filter(name => !/^(sqlite_|place|commit_|membership)/.test(name))
  const rows = shared.map(name => [
    name,
    database
      .prepare(`SELECT * FROM ${name}`)
      .all()
      .map(row => JSON.stringify(row))
      .sort(),
  ])
  return JSON.stringify(rows)
}

function dumpOf(directory: DataDirectory): string {
  const database = openWritable(directory.database)
  try {
    return dump(database)
  } finally {
    database.close()
  }
}

test('what a leader commits is in each copy, and what belongs to one machine is not', t => {
  const log: LoggedValue[] = []
  const { database, write } = lead(t, log)
  const copy = makeMember(t)
  const follower = follow(t, copy)
  write(`${account('a')}${account('b')} UPDATE commit_count SET count = count + 1;`)
  write("INSERT INTO alarm_text (at) VALUES (5); DELETE FROM account WHERE id = 'b'")
  write("UPDATE account SET plan = 'free'")
  follower.take(log)
  assert.deepEqual(
    log.map(({ number }) => number),
    [2, 3, 4],
  )
  assert.equal(dumpOf(copy), dump(database))
  assert.match(dumpOf(copy), /a@x/)
  assert.equal(membershipOf(copy)?.entry, 4)
  const counts = openWritable(copy.database)
  assert.equal(counts.prepare('SELECT count FROM commit_count').get()?.['count'], 0)
  counts.close()
})

test('a transaction that changes nothing, or is rolled back, leaves no entry', t => {
  const log: LoggedValue[] = []
  const { write, database } = lead(t, log)
  write('SELECT 1')
  assert.throws(() => write(`${account('a')} INSERT INTO nowhere VALUES (1)`))
  assert.deepEqual(log, [])
  write(account('b'))
  assert.deepEqual([log.length, database.prepare('SELECT count(*) AS n FROM account').get()?.['n']], [1, 1])
})

test('a leader that was passed over commits nothing', t => {
  const { write, depose, database, directory } = lead(t, [])
  depose()
  assert.throws(() => write(account('a')), LeadershipLost)
  assert.equal(database.prepare('SELECT count(*) AS n FROM account').get()?.['n'], 0)
  assert.equal(membershipOf(directory)?.entry, 1)
})

test('without room on the disk nothing is appended, and the leader goes on once there is some', t => {
  const log: LoggedValue[] = []
  const { write, setRoom } = lead(t, log)
  setRoom(false)
  assert.throws(() => write(account('a')), isTransient)
  assert.deepEqual(log, [])
  setRoom(true)
  write(account('b'))
  assert.equal(log.length, 1)
})

test('an entry that the log has and the database of its leader has not is taken at the next start', t => {
  const log: LoggedValue[] = []
  const { write, directory } = lead(t, log)
  write(account('a'))
  const behind = follow(t)
  behind.take(log)
  // The same values again, from where the copy is.
  assert.throws(() => behind.take(log), CopyDiffers)
  const again = follow(t, directory)
  assert.equal(again.position.entry, 2)
})

test('a long transaction is split, and its parts are applied together', t => {
  const log: LoggedValue[] = []
  const { write, database } = lead(t, log)
  const long = 'x'.repeat(ENTRY_BYTES_MAX)
  write(`INSERT INTO person VALUES ('p1', 'a', '${long}'), ('p2', 'a', '${long}')`)
  assert.equal(log.length, 3)
  assert.ok(log.every(({ value }) => value.length <= ENTRY_BYTES_MAX))
  const copy = makeMember(t)
  const follower = follow(t, copy)
  follower.take(log.slice(0, 2))
  assert.equal(membershipOf(copy)?.entry, 1)
  follower.take(log.slice(2))
  assert.equal(membershipOf(copy)?.entry, 4)
  assert.equal(dumpOf(copy), dump(database))
})

test('the first parts of a leader that ended within a long transaction do not count', t => {
  const log: LoggedValue[] = []
  const { write } = lead(t, log)
  const long = 'x'.repeat(ENTRY_BYTES_MAX)
  write(`INSERT INTO person VALUES ('p1', 'a', '${long}')`)
  const [part] = log
  assert.ok(part)
  const next = {
    kind: 'lead',
    schema: MIGRATIONS.length,
    previous: hashOfEntry(part.value),
    body: new Uint8Array(),
  } as const
  const value = sealEntry(new TermKey(KEY, SALT), { clusterId: ID, number: 3 }, next)
  const copy = makeMember(t)
  follow(t, copy).take([part, { number: 3, value }])
  assert.equal(membershipOf(copy)?.entry, 3)
  assert.doesNotMatch(dumpOf(copy), /xxx/)
})

test('an entry that does not follow, was changed, or does not fit to the rows is refused', t => {
  const log: LoggedValue[] = []
  const { write } = lead(t, log)
  write(account('a'))
  write("UPDATE account SET plan = 'free'")
  const [first, second] = log
  assert.ok(first && second)
  assert.throws(() => follow(t).take([second]), CopyDiffers)
  const changed = Buffer.from(first.value)
  changed.writeUInt8(changed.readUInt8(40) ^ 1, 40)
  assert.throws(() => follow(t).take([{ number: 2, value: changed }]), CopyDiffers)
  assert.throws(() => new EntryOpener(new Uint8Array(32)).open(first.value, { clusterId: ID, number: 2 }))
  const other = makeMember(t)
  const database = openWritable(other.database)
  database.exec(account('a'))
  database.close()
  assert.throws(() => follow(t, other).take([first]), CopyDiffers)
})

test('an entry shows nothing of its text, and a wipe writes no old text', t => {
  const log: LoggedValue[] = []
  const { write, database } = lead(t, log)
  write("INSERT INTO person VALUES ('p1', 'a', 'a secret text')")
  database.exec('BEGIN')
  const session = database.createSession()
  database.exec("UPDATE person SET content = '' WHERE id = 'p1'")
  const wipe = Buffer.from(session.patchset()).toString('latin1')
  session.close()
  database.exec('ROLLBACK')
  assert.doesNotMatch(Buffer.from(log[0]?.value ?? '').toString('latin1'), /secret/)
  assert.doesNotMatch(wipe, /secret/)
})

const backupsOf = ({ path }: DataDirectory) => readdirSync(join(path, 'backups'))

test('each migration of a copy makes a backup, although a copy counts no commits', t => {
  const old = makeMember(t, MIGRATIONS.length - 2)
  const between = sealEntry(
    new TermKey(KEY, SALT),
    { clusterId: ID, number: 2 },
    { kind: 'lead', schema: MIGRATIONS.length - 1, previous: hashOfEntry(FIRST), body: new Uint8Array() },
  )
  const follower = follow(t, old)
  follower.take([{ number: 2, value: between }])
  assert.deepEqual(backupsOf(old), [`before-schema-${MIGRATIONS.length - 1}.backup`])
  const last = sealEntry(
    new TermKey(KEY, SALT),
    { clusterId: ID, number: 3 },
    { kind: 'lead', schema: MIGRATIONS.length, previous: hashOfEntry(between), body: new Uint8Array() },
  )
  follower.take([{ number: 3, value: last }])
  assert.deepEqual(backupsOf(old), [`before-schema-${MIGRATIONS.length}.backup`])
})

test('a copy is migrated before it takes the entry of a newer program, and an older program waits', t => {
  const log: LoggedValue[] = []
  const { write, database } = lead(t, log)
  write(account('a'))
  const old = makeMember(t, MIGRATIONS.length - 1)
  follow(t, old).take(log)
  assert.equal(dumpOf(old), dump(database))
  assert.deepEqual(backupsOf(old), [`before-schema-${MIGRATIONS.length}.backup`])
  const [first] = log
  const newer = {
    kind: 'lead',
    schema: MIGRATIONS.length + 1,
    previous: hashOfEntry(first?.value ?? FIRST),
    body: new Uint8Array(),
  } as const
  const value = sealEntry(new TermKey(KEY, SALT), { clusterId: ID, number: 3 }, newer)
  const follower = follow(t)
  follower.take([...log, { number: 3, value }])
  assert.deepEqual([follower.newerSchema, follower.position.entry], [MIGRATIONS.length + 1, 2])
})

test('what is revoked travels to the file of revoked credentials', t => {
  const log: LoggedValue[] = []
  const { write } = lead(t, log)
  write(`${account('a')} INSERT INTO api_key (id, account_id, hash, hint, name, test, created_at)
    VALUES ('k', 'a', x'${'ab'.repeat(32)}', '…', 'n', 0, 1)`)
  write('UPDATE api_key SET revoked_at = 9')
  const copy = makeMember(t)
  follow(t, copy).take(log)
  assert.ok(existsSync(copy.endedCredentials))
  assert.equal(readFileSync(copy.endedCredentials).toString('hex'), 'ab'.repeat(32))
})
