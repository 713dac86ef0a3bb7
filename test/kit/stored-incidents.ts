import type { Incident } from '#domain/incident/incident.ts'
import { openIncidentStore } from '#storage/incident-store.ts'
import type { DatabaseSync } from '#storage/sqlite.ts'

/** All incidents in the database, oldest first. */
export function storedIncidents(database: DatabaseSync): readonly Incident[] {
  const store = openIncidentStore(database)
  const rows = database.prepare('SELECT id FROM incident ORDER BY id').all()
  return rows.flatMap(({ id }) => store.get(String(id)) ?? [])
}
