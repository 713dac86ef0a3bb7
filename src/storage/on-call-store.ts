import type { DatabaseSync } from 'node:sqlite'
import type { Group } from '#domain/on-call/group.ts'
import type { OnCallRows, OnCallStore } from '#domain/on-call/on-call-store.ts'
import type { Person } from '#domain/on-call/person.ts'
import type { Policy } from '#domain/on-call/policy.ts'
import type { Rota } from '#domain/on-call/rota.ts'
import { readJsonTable, writeJsonTable } from '#storage/json-table.ts'

/** People, rotas, policies and groups; the queries that listeners and the writer share. */
export function openOnCallRows(database: DatabaseSync): OnCallRows {
  const people = readJsonTable<Person>(database, 'person')
  const rotas = readJsonTable<Rota>(database, 'rota')
  const policies = readJsonTable<Policy>(database, 'policy')
  const groups = readJsonTable<Group>(database, 'people_group')
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
  const people = writeJsonTable<Person>(database, 'person')
  const rotas = writeJsonTable<Rota>(database, 'rota')
  const policies = writeJsonTable<Policy>(database, 'policy')
  const groups = writeJsonTable<Group>(database, 'people_group')
  return {
    ...openOnCallRows(database),
    savePerson(tx, person) {
      people.save(person)
      // A number or name that was replaced is personal data.
      tx.hasWiped = true
    },
    saveRota: (_tx, rota) => rotas.save(rota),
    savePolicy: (_tx, policy) => policies.save(policy),
    saveGroup: (_tx, group) => groups.save(group),
    remove(tx, which) {
      // Ids of different tables have different prefixes.
      for (const one of [people, rotas, policies, groups]) one.remove(which)
      tx.hasWiped = true
    },
  }
}
