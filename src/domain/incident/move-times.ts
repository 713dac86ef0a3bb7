import type { Move } from '#domain/clock/believed-clock.ts'
import { SETTLING } from '#domain/incident/incident.ts'
import { change, type IncidentDraft } from '#domain/incident/incident-draft.ts'

/** The rows move with the wall clock. Quiet hours do not: they are looked at again. */
export function moveTimes(draft: IncidentDraft, { since, ms }: Pick<Move, 'since' | 'ms'>): void {
  const { incident, facts } = draft
  const by = <Time extends number | null>(at: Time) =>
    (at === null ? null : at + (at >= since ? ms : 0)) as Time
  // What is due was settled by the last of these events.
  const settled = incident.timeline.findLast(({ event }) => SETTLING.has(event))
  const dueMs = (settled?.at ?? incident.openedAt) >= since ? ms : 0
  change(draft, {
    openedAt: by(incident.openedAt),
    alertAt: by(incident.alertAt),
    takenAt: by(incident.takenAt),
    takenUntil: incident.takenUntil === null ? null : incident.takenUntil + dueMs,
    closedAt: by(incident.closedAt),
    roundAt: incident.roundAt + dueMs,
    ...(incident.also && { also: { ...incident.also, since: by(incident.also.since) } }),
    ...(incident.boundAt !== undefined && { boundAt: by(incident.boundAt) }),
    quietUntil: incident.quietUntil === null ? null : facts.wallMs,
    ringAgain: incident.ringAgain.map(one => ({ ...one, at: one.at + dueMs })),
    timeline: incident.timeline.map(one => ({ ...one, at: by(one.at) })),
  })
}
