import type { IncidentResource } from '#contracts/incident.ts'
import { describeIncident } from '#domain/incident/describe-incident.ts'
import type { IncidentFilter } from '#domain/incident/incident-store.ts'
import { openReadOnly } from '#storage/database.ts'
import { openIncidentRows } from '#storage/incident-store.ts'

/** Reads incidents from a database directly, without the writer. Newest first. */
export function readIncidents(file: string, filter: IncidentFilter): readonly IncidentResource[] {
  const database = openReadOnly(file)
  try {
    return openIncidentRows(database).list(filter).incidents.map(describeIncident)
  } finally {
    database.close()
  }
}
