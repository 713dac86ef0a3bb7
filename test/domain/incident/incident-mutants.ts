import type { Incident } from '#domain/incident/incident.ts'
import type {
  IncidentEffect,
  IncidentEvent,
  IncidentFacts,
  IncidentOutcome,
} from '#domain/incident/incident-events.ts'
import { dueAtOf } from '#domain/incident/walk-steps.ts'
import { type IncidentModel, REAL_MODEL } from '#test/domain/incident/incident-model.ts'

/** A planted bug of the model. The simulation must find each of them. */
export interface IncidentMutant extends IncidentModel {
  readonly name: string
}

export const INCIDENT_MUTANTS: readonly IncidentMutant[] = [
  mutant('somebody who was not told can answer', {
    row: (one, event) => (event.type === 'answered' ? { ...one, told: [...one.told, event.personId] } : one),
  }),
  mutant('a second taker is taken for the first', {
    row: (one, event) =>
      event.type === 'answered' && one.state === 'taken' && one.told.includes(event.personId)
        ? { ...one, state: 'open' }
        : one,
  }),
  mutant('steps go on though somebody has it', {
    row: (one, event) => (event.type === 'due' && one.state === 'taken' ? { ...one, state: 'open' } : one),
  }),
  mutant('a storm of which nothing is new is told though somebody has it', {
    row: (one, event) =>
      event.type === 'storm-told' && one.state === 'taken' ? { ...one, state: 'open' } : one,
    after: ({ incident, effects }, event, { state, dueAt }) => ({
      incident: event.type === 'storm-told' ? { ...incident, state, dueAt } : incident,
      effects,
    }),
  }),
  mutant('each thing that joins is told at once', {
    row: ({ also: _, ...one }, event) => (event.type === 'joined' ? one : { ...one, ...(_ && { also: _ }) }),
  }),
  mutant('texts are not counted', { row: one => ({ ...one, texts: 0 }) }),
  mutant('rings are not counted', { row: one => ({ ...one, rings: Math.min(one.rings, 1) }) }),
  mutant('who said no is told again', { row: one => ({ ...one, refused: [] }) }),
  mutant('rounds do not end', { row: one => ({ ...one, round: 1 }) }),
  mutant('a rise of the severity stays unknown', {
    row: (one, event) => (event.type === 'joined' ? { ...one, severity: 'critical' } : one),
  }),
  mutant('a joined thing is forgotten', {
    after: ({ incident, effects }, event, { things }) => ({
      incident: event.type === 'joined' ? { ...incident, things } : incident,
      effects,
    }),
  }),
  mutant('the first thing that is over ends all', {
    row: (one, event) =>
      event.type === 'over'
        ? { ...one, things: one.things.map(({ key }) => ({ key, isOver: key !== event.key })) }
        : one,
  }),
  mutant('a step runs again after a restart', {
    after: ({ incident, effects }, event, before) => {
      const hasRun = event.type === 'due' && incident.nextStep > before.nextStep
      return { incident: hasRun ? { ...incident, nextStep: before.nextStep } : incident, effects }
    },
  }),
  mutant('steps after a no keep their old times', {
    after: ({ incident, effects }, event, before) => {
      const isNo = event.type === 'answered' && event.verb === 'no' && incident.nextStep > before.nextStep
      const late = { ...incident, roundAt: before.roundAt }
      return { incident: isNo ? { ...late, dueAt: dueAtOf(late) } : incident, effects }
    },
  }),
  mutant('times do not move with the clock', {
    after: (outcome, event, before) =>
      event.type === 'moved' ? { incident: before, effects: outcome.effects } : outcome,
  }),
  mutant('a take is not told to the others', {
    after: (outcome, event) => (event.type === 'answered' ? without(outcome, 'tell') : outcome),
  }),
  mutant('the phones ring on', { after: outcome => without(outcome, 'hang-up') }),
  mutant('an answer gets no reply', { after: outcome => without(outcome, 'reply') }),
  mutant('an answer gets two replies', {
    after: ({ incident, effects }) => ({
      incident,
      effects: [...effects, ...effects.filter(({ type }) => type === 'reply')],
    }),
  }),
  mutant('the end is told to one person only', {
    after: ({ incident, effects }) => ({
      incident,
      effects: incident.state === 'closed' ? effects.slice(0, 3) : effects,
    }),
  }),
  mutant('quiet hours are ignored', { facts: facts => ({ ...facts, quietUntil: () => null }) }),
  mutant('the hour of a person has no bound', { facts: facts => ({ ...facts, canTell: () => 'yes' }) }),
  mutant('steps do not wait for a phone', { facts: facts => ({ ...facts, canSendNow: true }) }),
  {
    ...REAL_MODEL,
    name: 'the first of several incidents is taken',
    chooseIncident: (answer, personId, incidents) => {
      const chosen = REAL_MODEL.chooseIncident(answer, personId, incidents)
      const [incident] = chosen?.type === 'which' ? chosen.incidents : []
      const { verb, minutes } = answer
      return incident === undefined || verb === 'list'
        ? chosen
        : { type: 'answered', incident, verb, minutes }
    },
  },
  {
    ...REAL_MODEL,
    name: 'a chatty text is an answer',
    readAnswer: text =>
      REAL_MODEL.readAnswer(text) ?? REAL_MODEL.readAnswer(text.trim().split(/[ ,?]/)[0] ?? ''),
  },
  {
    ...REAL_MODEL,
    name: 'a number does not rest after its incident',
    freeNumber: (incidents, wallMs) =>
      REAL_MODEL.freeNumber(
        [...incidents].filter(({ closedAt }) => closedAt === null),
        wallMs,
      ),
  },
  {
    ...REAL_MODEL,
    name: 'every incident has the same number',
    freeNumber: () => 2,
  },
]

interface Change {
  /** The row before the event. */
  readonly row?: (incident: Incident, event: IncidentEvent) => Incident
  readonly facts?: (facts: IncidentFacts) => IncidentFacts
  readonly after?: (outcome: IncidentOutcome, event: IncidentEvent, before: Incident) => IncidentOutcome
}

function mutant(name: string, { row, facts, after }: Change): IncidentMutant {
  return {
    ...REAL_MODEL,
    name,
    openIncident: (input, known) => REAL_MODEL.openIncident(input, facts?.(known) ?? known),
    stepIncident: (incident, event, known) => {
      const given = row?.(incident, event) ?? incident
      const outcome = REAL_MODEL.stepIncident(given, event, facts?.(known) ?? known)
      // What the row alone changes is not a change.
      const real = outcome.incident === given ? { ...outcome, incident } : outcome
      return after?.(real, event, incident) ?? real
    },
  }
}

function without({ incident, effects }: IncidentOutcome, type: IncidentEffect['type']): IncidentOutcome {
  return { incident, effects: effects.filter(one => one.type !== type) }
}
