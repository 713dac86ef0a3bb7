import type { DatabaseSync } from 'node:sqlite'
import type { Group } from '#domain/on-call/group.ts'
import type { OnCallRows, OnCallStore } from '#domain/on-call/on-call-store.ts'
import type { Person } from '#domain/on-call/person.ts'
import type { Policy } from '#domain/on-call/policy.ts'
import type { Rota } from '#domain/on-call/rota.ts'
import { text } from '#storage/row.ts'

const TABLES = ['person', 'rota', 'policy', 'people_group'] as const
type Table = (typeof TABLES)[number]

/** People, rotas, policies and groups; the queries that listeners and the writer share. */
export function openOnCallRows(database: DatabaseSync): OnCallRows {
  const people = openTable<Person>(database, 'person')
  const rotas = openTable<Rota>(database, 'rota')
  const policies = openTable<Policy>(database, 'policy')
  const groups = openTable<Group>(database, 'people_group')
  return {
    person: people.find,
    people: people.list,
    rota: rotas.find,
    rotas: rotas.list,
    policy: policies.find,
    policies: policies.list,
    group: groups.find,
    groups: groups.list,
  }
}

/** People, rotas, policies and groups, for the writer. */
export function openOnCallStore(database: DatabaseSync): OnCallStore {
  const save = (table: Table) => {
    const put = database.prepare(`
      INSERT INTO ${table} VALUES (?, ?, ?) ON CONFLICT (id) DO UPDATE SET content = excluded.content`)
    return (row: Person | Rota | Policy | Group) => put.run(row.id, row.accountId, JSON.stringify(row))
  }
  const [savePerson, saveRota] = [save('person'), save('rota')]
  const [savePolicy, saveGroup] = [save('policy'), save('people_group')]
  const removals = TABLES.map(table =>
    database.prepare(`DELETE FROM ${table} WHERE id = ? AND account_id = ?`),
  )
  return {
    ...openOnCallRows(database),
    savePerson(tx, person) {
      savePerson(person)
      // A number or name that was replaced is personal data.
      tx.hasWiped = true
    },
    saveRota: (_tx, rota) => void saveRota(rota),
    savePolicy: (_tx, policy) => void savePolicy(policy),
    saveGroup: (_tx, group) => void saveGroup(group),
    remove(tx, { accountId, id }) {
      // Ids of different tables have different prefixes.
      for (const one of removals) one.run(id, accountId)
      tx.hasWiped = true
    },
  }
}

function openTable<Content>(database: DatabaseSync, table: Table) {
  const find = database.prepare(`SELECT content FROM ${table} WHERE id = ? AND account_id = ?`)
  const list = database.prepare(`SELECT content FROM ${table} WHERE account_id = ? ORDER BY id`)
  const contentOf = (row: ReturnType<typeof find.get>) => JSON.parse(text(row?.['content'])) as Content
  return {
    find(accountId: string, id: string): Content | undefined {
      const row = find.get(id, accountId)
      return row === undefined ? undefined : contentOf(row)
    },
    list: (accountId: string): readonly Content[] => list.all(accountId).map(contentOf),
  }
}
