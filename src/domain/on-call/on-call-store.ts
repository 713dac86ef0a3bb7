import type { Group } from '#domain/on-call/group.ts'
import type { Person } from '#domain/on-call/person.ts'
import type { Policy } from '#domain/on-call/policy.ts'
import type { Rota } from '#domain/on-call/rota.ts'
import type { Tx } from '#domain/tx.ts'

/** Queries that the writer and the listeners share. Lists are oldest first. */
export interface OnCallRows {
  person(accountId: string, id: string): Person | undefined
  people(accountId: string): readonly Person[]
  rota(accountId: string, id: string): Rota | undefined
  rotas(accountId: string): readonly Rota[]
  policy(accountId: string, id: string): Policy | undefined
  policies(accountId: string): readonly Policy[]
  group(accountId: string, id: string): Group | undefined
  groups(accountId: string): readonly Group[]
}

/** People, rotas, policies and groups in the database. Reads see the transaction's own writes. */
export interface OnCallStore extends OnCallRows {
  /** Inserts, or replaces the row with this id. */
  savePerson(tx: Tx, person: Person): void
  saveRota(tx: Tx, rota: Rota): void
  savePolicy(tx: Tx, policy: Policy): void
  saveGroup(tx: Tx, group: Group): void
  remove(tx: Tx, which: { readonly accountId: string; readonly id: string }): void
}
