import { oneCalled } from '#app/commands/one-called.ts'
import type { WriterAndConfig } from '#app/commands/with-writer.ts'
import type { AccountResource } from '#contracts/account.ts'
import { ACCOUNT_BOUNDS } from '#contracts/account-bounds.ts'
import { describeForward } from '#domain/forward/describe-forward.ts'
import { describeOptOut } from '#domain/message/opt-out.ts'
import { describeGroup, describePerson, describeRota } from '#domain/on-call/describe-on-call.ts'
import type { OnCallRows } from '#domain/on-call/on-call-store.ts'
import { openReadOnly } from '#storage/database.ts'
import { openForwardRows } from '#storage/forward-store.ts'
import { openOnCallRows } from '#storage/on-call-store.ts'
import { openOptOutReader } from '#storage/opt-out-store.ts'

/** The people of these accounts, with each account's e-mail address. Reads without the writer. */
export function readPeople(file: string, accounts: readonly AccountResource[]) {
  return withRows(file, rows =>
    accounts.flatMap(({ accountId, email }) =>
      rows.people(accountId).map(person => {
        return { ...describePerson(person, machineZone()), account: email, accountId }
      }),
    ),
  )
}

/** The rotas of these accounts, with the name of whoever is on call. Reads without the writer. */
export function readRotas(file: string, accounts: readonly AccountResource[]) {
  const at = { wallMs: Date.now(), machineZone: machineZone() }
  return withRows(file, rows =>
    accounts.flatMap(({ accountId, email }) =>
      rows.rotas(accountId).map(rota => {
        const described = describeRota(rota, at)
        const person = rows.person(accountId, described.onCall)
        return { ...described, person: person?.name ?? described.onCall, account: email }
      }),
    ),
  )
}

/** The forwards of these accounts, with each account's e-mail address. Reads without the writer. */
export function readForwards(file: string, accounts: readonly AccountResource[]) {
  const database = openReadOnly(file)
  try {
    const rows = openForwardRows(database)
    return accounts.flatMap(({ accountId, email }) =>
      rows.list(accountId).map(forward => ({ ...describeForward(forward), account: email, accountId })),
    )
  } finally {
    database.close()
  }
}

/** The numbers of these accounts that want no more texts, newest first. Reads without the writer. */
export function readOptOuts(file: string, accounts: readonly AccountResource[]) {
  const database = openReadOnly(file)
  try {
    const { list } = openOptOutReader(database)
    const all = { test: false, phoneNumber: null, before: null, limit: ACCOUNT_BOUNDS.optOuts.most }
    return accounts.flatMap(({ accountId, email }) =>
      list({ accountId, ...all }).optOuts.map(one => ({ ...describeOptOut(one), account: email })),
    )
  } finally {
    database.close()
  }
}

/**
 * The id of a policy that is given by its id or name; null: none is given.
 *
 * @throws Problem NOT_FOUND; CONFLICT: several have that name
 */
export function findPolicy({ writer }: WriterAndConfig, accountId: string, given?: string): string | null {
  if (given === undefined) return null
  const policies = withRows(writer.directory.database, rows => rows.policies(accountId))
  return oneCalled(policies, given, ['policy', 'policies']).id
}

/** The people of an account, and its groups, for options that name some of them. */
export function peopleAndGroups({ writer }: WriterAndConfig, accountId: string) {
  return withRows(writer.directory.database, rows => {
    return { people: rows.people(accountId), groups: rows.groups(accountId) }
  })
}

/** The groups of these accounts, with the names of their people. Reads without the writer. */
export function readGroups(file: string, accounts: readonly AccountResource[]) {
  return withRows(file, rows =>
    accounts.flatMap(({ accountId, email }) =>
      rows.groups(accountId).map(group => {
        const names = group.people.map(id => rows.person(accountId, id)?.name ?? id)
        return { ...describeGroup(group), names, account: email, accountId }
      }),
    ),
  )
}

function withRows<T>(file: string, read: (rows: OnCallRows) => T): T {
  const database = openReadOnly(file)
  try {
    return read(openOnCallRows(database))
  } finally {
    database.close()
  }
}

function machineZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone ?? 'UTC'
}
