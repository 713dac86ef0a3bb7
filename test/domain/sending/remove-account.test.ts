import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { RETENTION_ROWS_MAX } from '#contracts/bounds.ts'
import { firstUserId } from '#domain/account/user.ts'
import { hash } from '#storage/source.ts'
import type { DatabaseSync } from '#storage/sqlite.ts'
import { messageToAccept } from '#test/kit/messages.ts'
import { temporaryDirectory } from '#test/kit/temporary-directory.ts'
import { FIELDS, refusal } from '#test/kit/webhook-world.ts'
import { TestWorld } from '#test/kit/world.ts'

/** Tables without rows that belong to a single account. */
const OF_NO_ACCOUNT = [
  'alarm_text',
  'place',
  'commit_count',
  'commit_loss',
  'notification_target',
  'revoked_token',
  'sqlite_sequence',
  'removed_account',
  'clock',
  'membership',
  'chosen_configuration',
]
/** Columns that link a row to its account. */
const OWNED_BY = ['account_id', 'scope', 'webhook_id']
/** Values for columns that the schema limits to one or a few values. */
const GIVEN: Readonly<Record<string, string | number>> = { state: 'open', only: 1 }
const EMAIL = 'removed@example.org'
const WEBHOOKS = { removed: 'whk_removed', kept: 'whk_kept' }

type Whose = keyof typeof WEBHOOKS
type Column = { readonly name: string; readonly type: string; readonly notnull: number }

function start(file?: string) {
  const world = new TestWorld(file)
  const make = (email: string) =>
    world.ask('account.create', { email, plan: 'pro', passwordHash: null }).accountId
  const ids = { removed: make(EMAIL), kept: make('kept@example.org') }
  return { world, ids, remove: () => world.ask('account.remove', { email: EMAIL }) }
}

function columnsOf(database: DatabaseSync, table: string): Column[] {
  return database.prepare(`SELECT name, type, "notnull" FROM pragma_table_info(?)`).all(table) as never
}

/** The tables with rows of accounts. A referenced table comes before those that reference it. */
function ownedTables(database: DatabaseSync) {
  const all = database
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name = 'webhook' DESC, name")
    .all()
    .map(({ name }) => String(name))
  const tables = all.filter(name => name !== 'account' && !OF_NO_ACCOUNT.includes(name))
  return tables.map(table => {
    const columns = columnsOf(database, table)
    const by = OWNED_BY.find(name => columns.some(column => column.name === name))
    assert.ok(by, `${table}: no column links it to an account; list it here or in storage/account-eraser.ts`)
    return { table, columns, by }
  })
}

/** Inserts a row of the account into every table. Each text in it contains a mark to search for. */
function plant(database: DatabaseSync, whose: Whose, accountId: string): void {
  for (const { table, columns, by } of ownedTables(database)) {
    if (table === 'setup_token' && whose === 'kept') continue
    // It has the account's first user.
    if (table === 'user') continue
    const owner = by === 'webhook_id' ? WEBHOOKS[whose] : accountId
    const values = columns.map(({ name, type }) => {
      if (name === by) return owner
      if (table === 'webhook' && name === 'id') return WEBHOOKS[whose]
      const own = GIVEN[name]
      if (own !== undefined) return own
      if (type === 'INTEGER') return whose === 'kept' ? 8 : 7
      if (type === 'BLOB') return hash(`${whose} ${table} ${name}`)
      const text = `${whose}-${table}-${name}`
      // This column must be JSON, because an index reads it.
      return name === 'failure' ? JSON.stringify(text) : text
    })
    const places = values.map(() => '?').join(', ')
    database.prepare(`INSERT INTO ${table} VALUES (${places})`).run(...values)
  }
}

function rowsOf(database: DatabaseSync, accountId: string, webhookId: string): Record<string, number> {
  return Object.fromEntries(
    ownedTables(database).map(({ table, by }) => {
      const count = database.prepare(`SELECT count(*) AS n FROM ${table} WHERE ${by} = ?`)
      return [table, Number(count.get(by === 'webhook_id' ? webhookId : accountId)?.['n'])]
    }),
  )
}

suite('an account that is removed', () => {
  test('leaves no row in any table and no byte in the files; another one keeps all of its rows', t => {
    const file = join(temporaryDirectory(t), 'roost.db')
    const { world, ids, remove } = start(file)
    t.after(() => world.database.close())
    for (const whose of ['removed', 'kept'] as const) plant(world.database, whose, ids[whose])
    world.database
      .prepare("INSERT INTO notification_target VALUES ('removed-notification_delivery-lane', 1, '[]')")
      .run()
    const planted = rowsOf(world.database, ids.removed, WEBHOOKS.removed)
    for (const [table, rows] of Object.entries(planted)) assert.equal(rows, 1, table)
    const kept = rowsOf(world.database, ids.kept, WEBHOOKS.kept)

    const { messages, received, devices, webhooks } = remove()
    assert.deepEqual([messages, received, devices, webhooks], [1, 1, 1, 1])

    for (const [table, rows] of Object.entries(rowsOf(world.database, ids.removed, WEBHOOKS.removed)))
      assert.equal(rows, 0, table)
    assert.deepEqual(rowsOf(world.database, ids.kept, WEBHOOKS.kept), kept)
    world.advance(0)
    for (const name of [file, `${file}-wal`])
      for (const mark of ['removed-', EMAIL, ids.removed])
        assert.ok(!readFileSync(name).includes(mark), `${mark} in ${name}`)
    assert.ok(readFileSync(file).includes('kept-message-text'))
  })

  test('leaves memory: its phone is disconnected, nothing is sent, the other account works on', () => {
    const { world, ids, remove } = start()
    const connect = (accountId: string, socket: number) => {
      const { code } = world.ask('device.create-pairing', { accountId, name: null })
      const { deviceId } = world.ask('device.pair', { code, name: null, platform: null, appVersion: null })
      const hello = { bootId: 'boot', appVersion: '1', platform: 'test', sims: [] }
      world.sendFromPhone(deviceId, socket, { type: 'hello', protocol: 1, ...hello })
      world.sendFromPhone(deviceId, socket, { type: 'sync', messages: [], more: false })
    }
    connect(ids.removed, 1)
    connect(ids.kept, 2)
    for (const accountId of Object.values(ids)) world.ask('message.accept', queuedMessage(accountId))
    assert.deepEqual([typesTo(world, 1).at(-1), typesTo(world, 2).at(-1)], ['offer', 'offer'])
    const call = { id: 1, name: 'message.accept', input: queuedMessage(ids.removed) } as const
    const removal = { id: 2, name: 'account.remove', input: { email: EMAIL } } as const
    const { answers, effects } = world.batch.run([call, removal])
    assert.deepEqual([world.faults, answers.map(({ ok }) => ok)], [[], [true, true]])
    world.effects.push(...effects)
    assert.equal(typesTo(world, 1).at(-1), 'close')
    for (const [table, rows] of Object.entries(rowsOf(world.database, ids.removed, '')))
      assert.equal(rows, 0, table)
    assert.ok(world.effects.some(({ kind }) => kind === 'credentials'))
    assert.deepEqual(
      [...world.batch.fleet.messages.values()].map(({ accountId }) => accountId),
      [ids.kept],
    )
    assert.deepEqual(
      [...world.batch.fleet.phones.values()].map(({ device }) => device.accountId),
      [ids.kept],
    )
    world.ask('message.accept', queuedMessage(ids.kept))
    assert.equal(typesTo(world, 2).at(-1), 'offer')
    world.advance(2 * 86_400_000)
    assert.deepEqual(world.faults, [])
    assert.throws(() => remove(), { code: 'NOT_FOUND' })
  })

  test('with very many rows it ends at once, and the rows go in small parts, also after a restart', () => {
    const { world, ids, remove } = start()
    const insert = world.database.prepare(`
      INSERT INTO message (id, account_id, test, kind, phone_number, text, segments, encoding, priority,
        pinned, created_at, expires_at, status, attempt, not_before, timeline)
      VALUES (?, ?, 0, 'sms', '+14155550123', 'old', 1, 'GSM-7', 'normal', 0, ?, ?, 'queued', 1, 0, '[]')`)
    world.database.exec('BEGIN')
    for (let i = 0; i < 3 * RETENTION_ROWS_MAX; i++)
      insert.run(`msg_${String(i).padStart(26, '0')}`, ids.removed, world.wallMs, world.wallMs + 86_400_000)
    world.database.exec('COMMIT')
    world.restart()
    // Let the retention of the start pass.
    world.batch.run([])
    const count = (sql: string) => Number(world.database.prepare(sql).get()?.['n'])
    const left = () => count("SELECT count(*) AS n FROM message WHERE text = 'old'")
    assert.equal(remove().messages, 3 * RETENTION_ROWS_MAX)
    assert.equal(left(), 2 * RETENTION_ROWS_MAX)
    assert.throws(() => remove(), { code: 'NOT_FOUND' })
    assert.equal(world.batch.fleet.messages.size, 0)
    assert.equal(world.ask('account.erase', {}).left, true)
    assert.equal(left(), RETENTION_ROWS_MAX)
    world.restart()
    assert.equal(world.batch.fleet.messages.size, 0, 'its open messages are not read again')
    world.ask('message.accept', queuedMessage(ids.kept))
    assert.equal(left(), 0, 'retention continues after a restart')
    assert.equal(world.ask('account.erase', {}).left, false)
    assert.equal(count('SELECT count(*) AS n FROM message'), 1)
  })

  test('gets no more notifications, although its deliveries are still there', () => {
    const { world, ids, remove } = start()
    const insert = world.database.prepare(`
      INSERT INTO notification_delivery VALUES (NULL, ?, ?, 'sms.sent', ?, 'http://localhost/', 'lane', '{}',
        1,
        'pending', 0, 0, 0, NULL, NULL, NULL, '[]', NULL)`)
    for (let i = 0; i < RETENTION_ROWS_MAX + 10; i++) insert.run(`ntf_${i}`, ids.removed, `msg_${i}`)
    world.restart()
    remove()
    const { deliveries } = world.ask('notification.exchange', { results: [], room: 10 })
    assert.deepEqual([deliveries, world.faults], [[], []])
  })

  test('refuses callers that were authenticated before', () => {
    const { world, ids, remove } = start()
    const accountId = ids.removed
    remove()
    const late = [
      () => world.ask('message.accept', queuedMessage(accountId)),
      () => world.ask('webhook.create', { accountId, fields: FIELDS }),
      () => world.ask('key.create-own', { accountId, name: 'late', test: false }),
      () =>
        world.ask('session.open', {
          userId: firstUserId(accountId),
          tokenVersion: 0,
          address: '',
          browser: '',
        }),
      () => world.ask('device.create-pairing', { accountId, name: null }),
      () => world.ask('notification.set', { accountId, url: 'http://localhost/', events: [] }),
    ]
    for (const call of late) assert.equal(refusal(call).code, 'UNAUTHORIZED', String(call))
    assert.deepEqual(world.faults, [])
  })

  test('must not be the only account', () => {
    const { world, remove } = start()
    remove()
    const last = () => world.ask('account.remove', { email: 'kept@example.org' })
    assert.match(refusal(last).message, /the only account: make another one first/)
    assert.equal(world.ask('account.list', {}).length, 1)
  })
})

function typesTo(world: TestWorld, socket: number): string[] {
  return world.ordersTo(socket).map(({ type }) => type)
}

function queuedMessage(accountId: string) {
  return messageToAccept(accountId, { queueIfOffline: true })
}
