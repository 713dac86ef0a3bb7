import type { Group } from '#domain/on-call/group.ts'
import type { Person } from '#domain/on-call/person.ts'
import type { Policy } from '#domain/on-call/policy.ts'
import type { Rota } from '#domain/on-call/rota.ts'
import type { OwnedRows, OwnedStore } from '#domain/owned-store.ts'

/** Whom incidents and alerts tell, by `OnCallKind`. */
export interface OnCallThings {
  readonly person: Person
  readonly rota: Rota
  readonly policy: Policy
  readonly group: Group
}

export type OnCallRows = { readonly [K in keyof OnCallThings]: OwnedRows<OnCallThings[K]> }
export type OnCallStore = { readonly [K in keyof OnCallThings]: OwnedStore<OnCallThings[K]> }
