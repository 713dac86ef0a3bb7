import type { DatabaseSync } from 'node:sqlite'
import type { Account, AccountStore, ApiKey } from '#domain/account/account-store.ts'
import { columnsOf, insertInto, namesOf, recordOf, valuesOf } from '#storage/columns.ts'
import { optional, type Row, text } from '#storage/row.ts'
import { openUsageReader } from '#storage/usage-reader.ts'

const ACCOUNT_COLUMNS = columnsOf<Account>({ id: 'plain', email: 'plain', plan: 'plain', createdAt: 'plain' })
const KEY_COLUMNS = columnsOf<ApiKey>({
  id: 'plain',
  accountId: 'plain',
  name: 'plain',
  test: 'flag',
  cleanText: 'flag',
  hint: 'plain',
  createdAt: 'plain',
  lastUsedAt: 'plain',
  revokedAt: 'plain',
})

/** Accounts and keys in the database, for the writer. */
export function openAccountStore(database: DatabaseSync): AccountStore {
  const columns = namesOf(ACCOUNT_COLUMNS)
  const insert = database.prepare(insertInto('account', ACCOUNT_COLUMNS))
  const find = database.prepare(`SELECT ${columns} FROM account WHERE id = ?`)
  const findByEmail = database.prepare(`SELECT ${columns} FROM account WHERE email = ?`)
  const list = database.prepare(`SELECT ${columns} FROM account ORDER BY id`)
  const oldest = database.prepare('SELECT id FROM account ORDER BY id LIMIT 1')
  const setPlan = database.prepare('UPDATE account SET plan = ? WHERE id = ?')
  const setEmail = database.prepare('UPDATE account SET email = ? WHERE id = ?')
  // Changes no value, but makes the transaction write, which tests the disk.
  const touch = database.prepare('UPDATE commit_count SET count = count')
  // A cache, because each accepted message needs its account. Each change of an `Account` and each failed
  // transaction clears it.
  const known = new Map<string, Account | undefined>()
  const usage = openUsageReader(database)
  return {
    clearCache: () => known.clear(),
    touch: () => void touch.run(),
    insert(_tx, account) {
      known.clear()
      insert.run(...valuesOf(account, ACCOUNT_COLUMNS))
    },
    find(_tx, id) {
      if (!known.has(id)) known.set(id, optional(find.get(id), accountOf))
      return known.get(id)
    },
    findByEmail: (_tx, email) => optional(findByEmail.get(email), accountOf),
    list: () => list.all().map(accountOf),
    oldestId: () => optional(oldest.get(), row => text(row['id'])) ?? null,
    setPlan(_tx, id, plan) {
      known.clear()
      setPlan.run(plan, id)
    },
    setEmail(_tx, id, email) {
      known.clear()
      setEmail.run(email, id)
    },
    ...openKeys(database),
    usageOf: (_tx, accountId, day) => usage.ofDay(accountId, day),
  }
}

type Keys = Pick<AccountStore, 'insertKey' | 'listKeys' | 'revokeKey' | 'noteKeyUse'>

function openKeys(database: DatabaseSync): Keys {
  const insert = database.prepare(insertInto('api_key', [...KEY_COLUMNS, { name: 'hash' }]))
  const noteUse = database.prepare('UPDATE api_key SET last_used_at = ? WHERE id = ?')
  const list = database.prepare('SELECT * FROM api_key WHERE ?1 IS NULL OR account_id = ?1 ORDER BY id')
  const revoke = database.prepare(`
    UPDATE api_key SET revoked_at = ?
    WHERE id = ?2 AND (?3 IS NULL OR account_id = ?3) AND revoked_at IS NULL RETURNING account_id`)
  return {
    insertKey: (_tx, key, hash) => void insert.run(...valuesOf(key, KEY_COLUMNS), hash),
    listKeys: (_tx, accountId) => list.all(accountId).map(apiKeyOf),
    noteKeyUse: (_tx, id, at) => void noteUse.run(at, id),
    revokeKey(_tx, { id, accountId }, at) {
      return optional(revoke.get(at, id, accountId), row => text(row['account_id']))
    },
  }
}

function accountOf(row: Row): Account {
  return recordOf(row, ACCOUNT_COLUMNS)
}

/** Converts a row of the table `api_key`. */
export function apiKeyOf(row: Row): ApiKey {
  return recordOf(row, KEY_COLUMNS)
}
