import { sentence } from '#contracts/words.ts'
import type { AccountFacts, Rule } from '#domain/health/facts.ts'

const incidentUnanswered: Rule<AccountFacts> = ({ onCall }) =>
  onCall.waiting.map(({ id, name, number, since, isOver }) => ({
    code: 'INCIDENT_UNANSWERED',
    severity: 'critical',
    since,
    subject: id,
    message: isOver
      ? sentence('Nobody took incident {number} of {name}', { number: number ?? id, name })
      : sentence('Incident {number} of {name} has had as many texts as it may have, and is open', {
          number: number ?? id,
          name,
        }),
    fix: sentence(
      'Take or close it: in the console, by roost incident, or by a text with its number and done.',
    ),
  }))

const answersCannotArrive: Rule<AccountFacts> = ({ onCall }) => {
  if (onCall.policies.length === 0 || onCall.canHearAnswers) return []
  return {
    code: 'ANSWERS_CANNOT_ARRIVE',
    since: null,
    message: sentence('No phone hands in received texts, so nobody can take an alert by a text'),
    fix: sentence('Let the app read received texts, or pair a phone that does; until then, use the console.'),
  }
}

const cannotRing: Rule<AccountFacts> = ({ onCall }) => {
  const ringing = onCall.policies.filter(({ rings }) => rings)
  if (ringing.length === 0 || onCall.canRing) return []
  return {
    code: 'CANNOT_RING',
    since: null,
    message: sentence('No phone that can call is online, so {names} only sends texts', {
      names: namesOf(ringing),
    }),
    fix: sentence('Pair a phone that can call, or switch off ringing in the steps of the policy.'),
  }
}

function namesOf(policies: AccountFacts['onCall']['policies']): string {
  return policies.map(({ name }) => name).join(', ')
}

const nobodyOnCall: Rule<AccountFacts> = ({ onCall }) =>
  onCall.policies.flatMap(({ id, name, emptySteps }) =>
    emptySteps.map(step => ({
      code: 'NOBODY_ON_CALL' as const,
      severity: 'warning' as const,
      since: null,
      subject: id,
      message: sentence('Step {step} of the policy {name} reaches nobody', { step, name }),
      fix: sentence('Name a person in the step, or put people into its rota.'),
    })),
  )

const personOverCap: Rule<AccountFacts> = ({ onCall }) =>
  onCall.overCap.map(({ id, name, since }) => ({
    code: 'PERSON_OVER_CAP',
    since,
    subject: id,
    message: sentence('{name} has had as many texts about alerts as fit into an hour', { name }),
    fix: sentence('See in On call what is open: fix the cause of so many alerts, or have them gathered.'),
  }))

const dayOver: Rule<AccountFacts> = ({ onCall }) =>
  onCall.isDayOver
    ? [
        {
          code: 'PERSON_OVER_CAP',
          since: null,
          message: sentence('The texts about alerts beyond the day of the plan are used up'),
          fix: sentence(
            'Wait for midnight UTC, or put the account on a larger plan: roost account set-plan.',
          ),
        },
      ]
    : []

/** Rules about alerts that somebody must answer. */
export const INCIDENT_RULES: readonly Rule<AccountFacts>[] = [
  incidentUnanswered,
  answersCannotArrive,
  cannotRing,
  nobodyOnCall,
  personOverCap,
  dayOver,
]
