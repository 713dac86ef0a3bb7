/** What commands read of the database themselves, without the writer. */

import { ofAccounts } from '#app/commands/choose-account.ts'
import { oneCalled } from '#app/commands/one-called.ts'
import type { CommandWriter } from '#app/commands/open-writer-for-command.ts'
import type { AccountResource } from '#contracts/account.ts'
import { ACCOUNT_BOUNDS } from '#contracts/account-bounds.ts'
import { SEEN_TRIGGERS_KEPT_MS } from '#contracts/bounds.ts'
import type { IncidentReference } from '#contracts/incident.ts'
import type { WebhookReference } from '#contracts/webhook-commands.ts'
import { describeForward } from '#domain/forward/describe-forward.ts'
import { describeIncident } from '#domain/incident/describe-incident.ts'
import type { IncidentFilter } from '#domain/incident/incident-store.ts'
import { describeOptOut } from '#domain/message/opt-out.ts'
import { describeGroup, describePerson, describeRota } from '#domain/on-call/describe-on-call.ts'
import { notFound, Problem } from '#domain/problem.ts'
import { dayOf } from '#domain/time.ts'
import { describeWebhook } from '#domain/webhook/describe-webhook.ts'
import { readOnce } from '#storage/database.ts'
import { openForwardRows } from '#storage/forward-store.ts'
import { openIncidentRows } from '#storage/incident-store.ts'
import { openOnCallRows } from '#storage/on-call-store.ts'
import { openOptOutReader } from '#storage/opt-out-store.ts'
import { openSeenTriggerReader } from '#storage/seen-trigger-reader.ts'
import type { DatabaseSync } from '#storage/sqlite.ts'
import { openUsageReader } from '#storage/usage-reader.ts'
import { openWebhookReader } from '#storage/webhook-reader.ts'

interface Opened {
  readonly writer: Pick<CommandWriter, 'directory'>
}

/** What the database has of some accounts. `open`: opens its rows. `list`: describes those of an account. */
function lister<Rows, T extends object>(
  open: (database: DatabaseSync) => Rows,
  list: (rows: Rows, accountId: string) => readonly T[],
) {
  return ({ writer }: Opened, accounts: readonly AccountResource[]) =>
    readOnce(writer.directory.database, database => {
      const rows = open(database)
      return ofAccounts(accounts, accountId => list(rows, accountId))
    })
}

export const readPeople = lister(openOnCallRows, (rows, accountId) =>
  rows.person.list(accountId).map(person => describePerson(person, machineZone())),
)

/** Rotas with the name of the person on call. */
export const readRotas = lister(openOnCallRows, (rows, accountId) =>
  rows.rota.list(accountId).map(rota => {
    const described = describeRota(rota, { wallMs: Date.now(), machineZone: machineZone() })
    const person = rows.person.find(accountId, described.onCall)
    return { ...described, person: person?.name ?? described.onCall }
  }),
)

/** Groups with the names of their people. */
export const readGroups = lister(openOnCallRows, (rows, accountId) =>
  rows.group.list(accountId).map(group => {
    const names = group.people.map(id => rows.person.find(accountId, id)?.name ?? id)
    return { ...describeGroup(group), names }
  }),
)

export const readForwards = lister(openForwardRows, (rows, accountId) =>
  rows.list(accountId).map(describeForward),
)

/** The numbers that want no more texts, newest first. */
export const readOptOuts = lister(openOptOutReader, ({ list }, accountId) => {
  const all = { test: false, phoneNumber: null, before: null, limit: ACCOUNT_BOUNDS.optOuts.most }
  return list({ accountId, ...all }).optOuts.map(describeOptOut)
})

export const readWebhooks = lister(openWebhookReader, ({ list, triggers }, accountId) =>
  list(accountId).map(webhook => describeWebhook(webhook, { triggers, wallMs: Date.now() })),
)

/** The last triggers of a webhook, newest first, and its settled readings. */
export function readHistory({ writer }: Opened, { accountId, webhookId }: WebhookReference) {
  return readOnce(writer.directory.database, database => {
    const webhook = openWebhookReader(database).find(accountId, webhookId)
    const triggers = openSeenTriggerReader(database).list(webhookId, Date.now() - SEEN_TRIGGERS_KEPT_MS)
    return { triggers, readings: webhook?.readings ?? {} }
  })
}

/**
 * The id of a policy that is given by its id or name; null: none is given.
 *
 * @throws Problem NOT_FOUND; CONFLICT: several have that name
 */
export function findPolicy({ writer }: Opened, accountId: string, given?: string): string | null {
  if (given === undefined) return null
  const read = (database: DatabaseSync) => openOnCallRows(database).policy.list(accountId)
  return oneCalled(readOnce(writer.directory.database, read), given, ['policy', 'policies']).id
}

/** The people of an account, and its groups, for options that name some of them. */
export function peopleAndGroups({ writer }: Opened, accountId: string) {
  return readOnce(writer.directory.database, database => {
    const rows = openOnCallRows(database)
    return { people: rows.person.list(accountId), groups: rows.group.list(accountId) }
  })
}

/** Counts the messages and codes of these accounts today (UTC). */
export function readUsageToday({ writer }: Opened, accounts: readonly AccountResource[]) {
  return readOnce(writer.directory.database, database => {
    const reader = openUsageReader(database)
    const days = accounts.map(({ accountId }) => reader.ofDay(accountId, dayOf(Date.now())))
    const sum = (kind: 'sms' | 'twoFactor') => days.reduce((total, day) => total + day[kind], 0)
    return { sms: sum('sms'), twoFactor: sum('twoFactor') }
  })
}

function machineZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone ?? 'UTC'
}

/** Newest first. */
export function readIncidents({ writer }: Opened, filter: IncidentFilter) {
  const read = (database: DatabaseSync) => openIncidentRows(database).list(filter).incidents
  return readOnce(writer.directory.database, read).map(describeIncident)
}

/**
 * The incident of one of the accounts that has this id, or that is not closed and has this number.
 *
 * @throws Problem NOT_FOUND; CONFLICT: several accounts have one
 */
export function findIncident(
  { writer }: Opened,
  accounts: readonly AccountResource[],
  idOrNumber: string,
): IncidentReference {
  const named = readOnce(writer.directory.database, database => {
    const rows = openIncidentRows(database)
    return accounts.flatMap(({ accountId }) => {
      const byId = rows.find(accountId, idOrNumber)
      const found = byId ?? rows.live(accountId).find(({ number }) => String(number) === idOrNumber)
      return found === undefined ? [] : [{ accountId, incidentId: found.id }]
    })
  })
  const [found, second] = named
  if (found === undefined) throw notFound('incident')
  if (second === undefined) return found
  const which = `several accounts have an incident ${idOrNumber}`
  throw new Problem('CONFLICT', `${which}: give its id, or name the account with --account`)
}
