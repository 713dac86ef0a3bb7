import type { DatabaseSync } from 'node:sqlite'
import type { OnCallRows, OnCallStore } from '#domain/on-call/on-call-store.ts'
import { readJsonTable, writeJsonTable } from '#storage/json-table.ts'

/** People, rotas, policies and groups; the queries that listeners and the writer share. */
export function openOnCallRows(database: DatabaseSync): OnCallRows {
  return {
    person: readJsonTable(database, 'person'),
    rota: readJsonTable(database, 'rota'),
    policy: readJsonTable(database, 'policy'),
    group: readJsonTable(database, 'people_group'),
  }
}

/** People, rotas, policies and groups, for the writer. */
export function openOnCallStore(database: DatabaseSync): OnCallStore {
  return {
    // A number or name that was replaced is personal data.
    person: writeJsonTable(database, 'person', { isSecret: true }),
    rota: writeJsonTable(database, 'rota'),
    policy: writeJsonTable(database, 'policy'),
    group: writeJsonTable(database, 'people_group'),
  }
}
