import type { Incident } from '#domain/incident/incident.ts'
import { changeIncident } from '#domain/sending/change-incident.ts'
import type { World } from '#domain/world.ts'

/** A step that waits for a phone that can send is looked at again after this time. */
const LOOK_AGAIN_MS = 15_000
const HOUR_MS = 3_600_000

/** Does what is due about an incident, and notes which of its texts have failed for good. */
export function watchIncident(world: World, id: string): void {
  const { incidents, messages, tx, now, deadlines } = world
  const found = incidents.get(id)
  if (found === undefined || found.state === 'closed') return
  let incident = leaveOutBackwardJump(world, found)
  for (const { messageId } of incident.pending)
    if (messages.find(tx, messageId)?.status === 'failed')
      incident = changeIncident(world, incident, { type: 'text-failed', messageId })
  const { dueAt } = incident
  if (dueAt === null) return
  if (dueAt > now.wallMs) return deadlines.addIncident(now.monoMs + dueAt - now.wallMs, id)
  const next = changeIncident(world, incident, { type: 'due' })
  if (next.dueAt === dueAt) deadlines.addIncident(now.monoMs + LOOK_AGAIN_MS, id)
}

/** A clock that was set back while the gateway was off must not make the next step late. */
function leaveOutBackwardJump(world: World, incident: Incident): Incident {
  const lastAt = incident.timeline.at(-1)?.at ?? incident.openedAt
  const ms = world.now.wallMs - lastAt
  return ms < 0 ? changeIncident(world, incident, { type: 'moved', ms }) : incident
}

/**
 * Moves the times of all incidents that are not closed by the jump of the wall clock. Also the end of those
 * that were closed within the hour before it, because their numbers rest.
 */
export function moveIncidents(world: World, ms: number): void {
  const { incidents, tx, now } = world
  incidents.moveClosed(tx, { since: now.wallMs - ms - HOUR_MS, ms })
  world.recentUses.move(tx, ms)
  for (const id of incidents.allLive()) {
    const incident = incidents.get(id)
    if (incident !== undefined) changeIncident(world, incident, { type: 'moved', ms })
  }
}
