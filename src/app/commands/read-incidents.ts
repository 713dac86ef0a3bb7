import type { AccountResource } from '#contracts/account.ts'
import type { IncidentReference, IncidentResource } from '#contracts/incident.ts'
import { describeIncident } from '#domain/incident/describe-incident.ts'
import type { IncidentFilter, IncidentRows } from '#domain/incident/incident-store.ts'
import { notFound, Problem } from '#domain/problem.ts'
import { readOnce } from '#storage/database.ts'
import { openIncidentRows } from '#storage/incident-store.ts'

/** Reads incidents from a database directly, without the writer. Newest first. */
export function readIncidents(file: string, filter: IncidentFilter): readonly IncidentResource[] {
  return withRows(file, rows => rows.list(filter).incidents.map(describeIncident))
}

/**
 * The incident of one of the accounts that has this id, or that is not closed and has this number.
 *
 * @throws Problem NOT_FOUND; CONFLICT: several accounts have one
 */
export function findIncident(
  file: string,
  accounts: readonly AccountResource[],
  idOrNumber: string,
): IncidentReference {
  const named = withRows(file, rows =>
    accounts.flatMap(({ accountId }) => {
      const byId = rows.find(accountId, idOrNumber)
      const found = byId ?? rows.live(accountId).find(({ number }) => String(number) === idOrNumber)
      return found === undefined ? [] : [{ accountId, incidentId: found.id }]
    }),
  )
  const [found, second] = named
  if (found === undefined) throw notFound('incident')
  if (second === undefined) return found
  const which = `several accounts have an incident ${idOrNumber}`
  throw new Problem('CONFLICT', `${which}: give its id, or name the account with --account`)
}

function withRows<T>(file: string, read: (rows: IncidentRows) => T): T {
  return readOnce(file, database => read(openIncidentRows(database)))
}
