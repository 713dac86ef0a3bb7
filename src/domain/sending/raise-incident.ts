/** What the alerts of a webhook with a policy do to incidents. */
import type { AlertFacts } from '#contracts/alert-reading.ts'
import type { Incident } from '#domain/incident/incident.ts'
import { beginIncident, changeIncident } from '#domain/sending/change-incident.ts'
import type { Webhook } from '#domain/webhook/webhook.ts'
import type { World } from '#domain/world.ts'

/** An alert of a webhook that gathers joins an incident whose last alert is at most this old. */
const BURST_MS = 60_000

export interface RaisedAlert {
  readonly facts: AlertFacts
  readonly text: string
  /** Whether Roost worded it by a guess. */
  readonly guess: boolean
  /** Whether a burst tells it by itself. */
  readonly isAloud: boolean
}

/**
 * Gives an alert to the incident that it joins or ends. Returns the incident's id. Null: there is none, so
 * that the alert may open one (`openFor`).
 */
export function reportToIncident(world: World, webhook: Webhook, alert: RaisedAlert): string | null {
  const { facts, text, guess, isAloud } = alert
  const { key, severity } = facts
  if (facts.state === 'recovered') return endThing(world, webhook, alert)
  const incident = incidentToJoin(world, webhook, key)
  if (incident === undefined) return null
  return changeIncident(world, incident, { type: 'joined', key, text, guess, severity, isAloud }).id
}

/** The incident that an alert about this thing would join. */
export function incidentIdOf(world: World, webhook: Webhook, key: string | null): string | null {
  return incidentToJoin(world, webhook, key)?.id ?? null
}

/** Opens an incident. Null: the webhook has no policy, or the alert says that something is over. */
export function openFor(world: World, webhook: Webhook, { facts, text, guess }: RaisedAlert): string | null {
  const policy = policyOf(world, webhook)
  if (policy === undefined || facts.state === 'recovered') return null
  const { key, severity } = facts
  const webhookId = webhook.id
  return beginIncident(world, policy, { webhookId, text, guess, key, severity, isRehearsal: false }).id
}

/** Gives an alert to its incident, or opens one. Null: it says that something unknown is over. */
export function reportOrOpen(world: World, webhook: Webhook, alert: RaisedAlert): string | null {
  return reportToIncident(world, webhook, alert) ?? openFor(world, webhook, alert)
}

/** The text about what a storm has gathered also goes to those who know of its incident. */
export function tellIncidentOfStorm(world: World, webhook: Webhook, text: string): void {
  const incident = incidentsOf(world, webhook).findLast(isJoinable)
  if (incident !== undefined) changeIncident(world, incident, { type: 'storm-told', text })
}

/** The texts to people about the incidents of a webhook. Empty if it names no people: then nobody asks. */
export function toldOf(world: World, { id, accountId, recipients }: Webhook): ReadonlyMap<string, string> {
  const told = new Map<string, string>()
  if (!recipients.some(({ personId }) => personId !== undefined)) return told
  for (const { webhookId, timeline } of world.incidents.recent(accountId, world.now.wallMs - 1))
    for (const { messageId, personId } of webhookId === id ? timeline : [])
      if (messageId !== null && personId !== null) told.set(messageId, personId)
  return told
}

/**
 * The webhook without those of its people whom an incident has told of this alert. `before`: what `toldOf`
 * said before the incident heard of it.
 */
export function withoutTold(world: World, webhook: Webhook, before: ReadonlyMap<string, string>): Webhook {
  const told = [...toldOf(world, webhook)].filter(([messageId]) => !before.has(messageId))
  const people = new Set(told.map(([, personId]) => personId))
  return { ...webhook, recipients: webhook.recipients.filter(one => !people.has(one.personId ?? '')) }
}

/** Closes the incidents of a webhook that its owner removes. */
export function closeIncidentsOf(world: World, webhook: Webhook): void {
  for (const incident of incidentsOf(world, webhook))
    changeIncident(world, incident, { type: 'owner', verb: 'close', personId: null, minutes: null })
}

function policyOf({ onCall }: World, { accountId, policyId }: Webhook) {
  return policyId === null ? undefined : onCall.policy(accountId, policyId)
}

function endThing(world: World, webhook: Webhook, { facts, text, guess }: RaisedAlert): string | null {
  const { key } = facts
  if (key === null) return null
  const about = incidentsOf(world, webhook).filter(({ things }) =>
    things.some(one => one.key === key && !one.isOver),
  )
  for (const incident of about) changeIncident(world, incident, { type: 'over', key, text, guess })
  return about.at(-1)?.id ?? null
}

function incidentToJoin(world: World, webhook: Webhook, key: string | null): Incident | undefined {
  const joinable = incidentsOf(world, webhook).filter(isJoinable)
  const same = joinable.findLast(({ things }) => key !== null && things.some(one => one.key === key))
  if (same !== undefined || !webhook.gather) return same
  const isStorm = (world.webhooks.storm(webhook.id, 'gathered')?.nextAt ?? null) !== null
  return joinable.findLast(({ alertAt }) => isStorm || world.now.wallMs - alertAt <= BURST_MS)
}

/** What nobody took is not joined: further alerts about it must reach somebody. */
function isJoinable({ state }: Incident): boolean {
  return state === 'open' || state === 'taken'
}

function incidentsOf({ incidents }: World, { id, accountId }: Webhook): readonly Incident[] {
  return incidents.live(accountId).filter(({ webhookId }) => webhookId === id)
}
