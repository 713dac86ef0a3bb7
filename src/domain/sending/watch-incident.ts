import type { Move } from '#domain/clock/believed-clock.ts'
import { changeIncident } from '#domain/sending/change-incident.ts'
import { HOUR_MS } from '#domain/time.ts'
import type { World } from '#domain/world.ts'

/** A step that waits for a phone that can send is looked at again after this time. */
const LOOK_AGAIN_MS = 15_000

/** Does what is due about an incident, and notes which of its texts have failed for good. */
export function watchIncident(world: World, id: string): void {
  const { incidents, messages, tx, now, deadlines } = world
  const found = incidents.get(id)
  if (found === undefined || found.state === 'closed') return
  let incident = found
  for (const { messageId } of incident.pending)
    if (messages.find(tx, messageId)?.status === 'failed')
      incident = changeIncident(world, incident, { type: 'text-failed', messageId })
  const { dueAt } = incident
  if (dueAt === null) return
  if (dueAt > now.wallMs) return deadlines.add(now.monoMs + dueAt - now.wallMs, 'incident', id)
  const next = changeIncident(world, incident, { type: 'due' })
  if (next.dueAt === dueAt) deadlines.add(now.monoMs + LOOK_AGAIN_MS, 'incident', id)
}

/**
 * Moves the times of all incidents that are not closed. Also of those that were closed within the hour
 * before, because their numbers rest.
 */
export function moveIncidents(world: World, move: Move): void {
  const { incidents, recentUses, tx, now, deadlines } = world
  if (move.ms === 0) return
  recentUses.move(tx, move)
  for (const id of incidents.lately(now.wallMs - Math.max(move.ms, 0) - HOUR_MS)) {
    const incident = incidents.get(id)
    if (incident !== undefined && changeIncident(world, incident, { type: 'moved', ...move }).dueAt !== null)
      deadlines.add(now.monoMs, 'incident', id)
  }
}
