/** What the alerts of a webhook with a policy do to incidents. */
import { ACCOUNT_BOUNDS } from '#contracts/account-bounds.ts'
import type { AlertFacts, AlertThing } from '#contracts/alert-reading.ts'
import { joinWords } from '#domain/alert/text/join-words.ts'
import type { EndedThing, Incident, IncidentHead } from '#domain/incident/incident.ts'
import { HEIR } from '#domain/incident/incident-draft.ts'
import type { AlertAbout, IncidentEvent, Unheard } from '#domain/incident/incident-events.ts'
import type { IncidentPlace } from '#domain/incident/incident-store.ts'
import { noteUse } from '#domain/on-call/recent-use.ts'
import { beginIncident, changeIncident, takeBackEnd, textPerson } from '#domain/sending/change-incident.ts'
import { incidentFacts } from '#domain/sending/incident-facts.ts'
import { textBounds } from '#domain/sending/text-bounds.ts'
import { DAY_MS } from '#domain/time.ts'
import { type Gathered, groupOf, STORM_DELAY_MS_MAX, type Thing } from '#domain/webhook/storm.ts'
import { isFiltered } from '#domain/webhook/trigger-gate.ts'
import type { Webhook } from '#domain/webhook/webhook.ts'
import type { World } from '#domain/world.ts'

/** An alert of a webhook that gathers joins an incident whose last alert is at most this old. */
const BURST_MS = 60_000
/** For so long after an incident was closed, its people hear of an end that may belong to it. */
const UNKNOWN_END_MS = 7 * DAY_MS

export interface RaisedAlert {
  readonly facts: AlertFacts
  readonly text: string
  /** Whether Roost worded it by a guess. */
  readonly guess: boolean
  /** Whether a burst tells it by itself. */
  readonly isAloud: boolean
}

/** Who hears of an alert by an incident. */
export interface Hearing {
  /** The ids of the people: all of its policy, and who else was told of it. */
  readonly hearers: ReadonlySet<string>
}

/** What an alert did to an incident. */
export interface Report extends Hearing {
  readonly id: string
}

/**
 * Gives an alert to the incident that it joins or ends. Null: there is none, so that the alert may open one
 * (`openFor`).
 */
export function reportToIncident(world: World, webhook: Webhook, alert: RaisedAlert): Report | null {
  if (alert.facts.state === 'recovered') return endThing(world, webhook, alert)
  if (alert.facts.state === 'acknowledged') return acknowledge(world, webhook, alert)
  const id = incidentIdOf(world, webhook, alert.facts)
  return id === null ? null : join(world, webhook, { id, alert })
}

/** The incident that an alert about this thing would join. */
export function incidentIdOf(world: World, webhook: Webhook, facts: AlertFacts): string | null {
  const { incidents, webhooks, now } = world
  const same = incidents.aboutThing(webhook, facts)
  const known = same.findLast(isWaiting)
  if (known !== undefined || !webhook.gather) return known?.id ?? null
  const isStorm = (webhooks.storm(webhook.id, 'gathered')?.nextAt ?? null) !== null
  const inBurst = ({ alertAt }: IncidentPlace) => isStorm || now.wallMs - alertAt <= BURST_MS
  const joinable = incidents.ofWebhook(webhook.id).filter(isWaiting)
  return joinable.findLast(inBurst)?.id ?? null
}

/**
 * Opens an incident, or joins one if the webhook has as many as it may. Null: the webhook has no policy, or
 * the alert says that something is over, or that somebody takes care of it.
 */
export function openFor(world: World, webhook: Webhook, alert: RaisedAlert): Report | null {
  const { facts, guess } = alert
  const policy = policyOf(world, webhook)
  if (policy === undefined) return null
  if (facts.state === 'recovered') tellUnknownEnd(world, webhook, alert)
  if (!opensIncident(facts)) return null
  const own = world.incidents.ofWebhook(webhook.id)
  const isFull = world.incidents.countLive(webhook.accountId) >= ACCOUNT_BOUNDS.openIncidents.most
  const [newest] = own.slice(-1)
  if (newest !== undefined && (isFull || own.length >= ACCOUNT_BOUNDS.openIncidentsOfWebhook.most))
    return join(world, webhook, { id: newest.id, alert })
  makeRoom(world, webhook.accountId)
  const { severity } = facts
  const atOnce = webhook.recipients.flatMap(({ personId }) => personId ?? [])
  const about = { ...aboutOf(alert), ...unheardOf(world, webhook, facts) }
  const input = { webhookId: webhook.id, ...about, guess, severity, isRehearsal: false, atOnce }
  return reportOf(world, beginIncident(world, policy, input))
}

/** Whether such an alert opens an incident if there is none about its thing. */
export function opensIncident({ state }: Pick<AlertFacts, 'state'>): boolean {
  return state !== 'recovered' && state !== 'acknowledged'
}

/** Gives an alert to its incident, or opens one. Null: it says that something unknown is over. */
export function reportOrOpen(world: World, webhook: Webhook, alert: RaisedAlert): Report | null {
  return reportToIncident(world, webhook, alert) ?? openFor(world, webhook, alert)
}

/** Closes an incident of the account if a further one would have no room. */
export function makeRoom(world: World, accountId: string): void {
  const { incidents } = world
  if (incidents.countLive(accountId) < ACCOUNT_BOUNDS.openIncidents.most) return
  const spare = incidents.get(incidents.spare(accountId) ?? '')
  if (spare !== undefined) changeIncident(world, spare, { type: 'dropped' })
}

/** A summary of what the cap held back: each is told, because it is about other alerts. */
export function tellSummary(world: World, webhook: Webhook, alert: RaisedAlert): Hearing | null {
  const storm = world.webhooks.storm(webhook.id, 'held')
  if (!isBad(storm) && storm?.isAlarm !== true) return peopleOf(world, webhook)
  const id = incidentIdOf(world, webhook, alert.facts)
  if (id === null) return openFor(world, webhook, alert)
  return report(world, id, { type: 'storm-told', text: alert.text, isDown: true })
}

/** The text about what a storm has gathered also goes to those who know of its incident. */
export function tellIncidentOfStorm(world: World, webhook: Webhook, text: string): Hearing | null {
  const place = world.incidents.ofWebhook(webhook.id).findLast(isWaiting)
  const storm = world.webhooks.storm(webhook.id, 'gathered')
  if (place === undefined) return isBad(storm) ? openForStorm(world, webhook, text) : peopleOf(world, webhook)
  const isDown = storm?.things.some(({ isNews, state }) => isNews && state === 'down') === true
  return report(world, place.id, { type: 'storm-told', text, isDown })
}

/** Opens an incident about what is down, if those that it joined were closed before its text was due. */
function openForStorm(world: World, webhook: Webhook, text: string): Report | null {
  const { incidents, webhooks, now } = world
  const since = now.wallMs - STORM_DELAY_MS_MAX
  // An incident of its own has told it.
  const recent = incidents.knownOf(webhook, since).filter(({ openedAt }) => openedAt > since)
  const isTold = (one: Thing) =>
    recent.some(({ key, openedAt }) => key === one.key || (key === one.group && one.at <= openedAt))
  const groups = new Map<string | null, AlertThing[]>()
  for (const one of webhooks.storm(webhook.id, 'gathered')?.things ?? []) {
    if (!one.isNews || one.state !== 'down' || isTold(one)) continue
    const { key, name, group = null } = one
    groups.set(group, [...(groups.get(group) ?? []), { key, name, isOver: false }])
  }
  let report: Report | null = null
  for (const [group, things] of groups) {
    const about = { key: group ?? things[0]?.key ?? null, subject: null, things, severity: null } as const
    const facts = { ...about, state: 'firing', isUrgent: false } as const
    const alert = { facts, text, guess: false, isAloud: false }
    report = report === null ? openFor(world, webhook, alert) : join(world, webhook, { id: report.id, alert })
  }
  return report
}

/** Whether a text about what was gathered tells more than ends. */
function isBad(storm: Gathered | undefined): boolean {
  const { things = [], unnamed } = storm ?? {}
  return unnamed === undefined || unnamed.count > 0 || things.some(one => one.isNews && one.state !== 'up')
}

/** The people of the policy: their incidents told them each end. */
function peopleOf(world: World, webhook: Webhook): Hearing | null {
  const policy = policyOf(world, webhook)
  if (policy === undefined) return null
  const its = { accountId: webhook.accountId, webhookId: webhook.id, policyId: policy.id, isRehearsal: false }
  return { hearers: new Set(incidentFacts(world, { ...its, plan: policy }).resolve('everyone')) }
}

/** The webhook without the recipients who hear of this alert by its incident. */
export function withoutHearers(webhook: Webhook, report: Hearing | null): Webhook {
  const recipients = webhook.recipients.filter(one => report?.hearers.has(one.personId ?? '') !== true)
  return { ...webhook, recipients }
}

/** Closes the incidents of a webhook that its owner removes. */
export function closeIncidentsOf(world: World, webhook: Webhook): void {
  for (const { id } of world.incidents.ofWebhook(webhook.id))
    report(world, id, { type: 'owner', verb: 'close', personId: null, minutes: null })
}

/**
 * Texts that something is over of which no incident is known, to those who were told of others of the webhook
 * that may be it: at most once an hour.
 */
function tellUnknownEnd(world: World, webhook: Webhook, { facts, text, guess }: RaisedAlert): void {
  const { incidents, recentUses, onCall, now } = world
  const { accountId, id } = webhook
  const { key } = facts
  const bound = { accountId, kind: 'unknown-end', subjectId: id } as const
  if (isFiltered(webhook, facts) || recentUses.list(bound, now.wallMs).length > 0) return
  const isOwn = key?.startsWith('roost:') === true
  const isOther = (of: string | null) =>
    of !== key && (isOwn || [of, key].every(one => one?.startsWith('id:')))
  const mayBeIt = ({ key: of, closedBy }: IncidentHead) =>
    !isOther(of) && (closedBy === null || closedBy === 'sender')
  const known = incidents.knownOf(webhook, now.wallMs - UNKNOWN_END_MS).filter(mayBeIt)
  const ofKey = known.filter(one => one.key === key && key !== null)
  // Its people heard of this end already.
  if (ofKey.sort((one, other) => one.openedAt - other.openedAt).at(-1)?.closedBy === 'sender') return
  const others = new Set(webhook.recipients.map(({ personId }) => personId))
  const use = { accountId, sourceId: id, isUrgent: false }
  const mayText = textBounds(world, accountId)
  for (const personId of new Set(known.flatMap(({ told }) => told))) {
    const person = others.has(personId) ? undefined : onCall.person.find(accountId, personId)
    if (person === undefined || mayText({ ...use, personId, use: 'told' }) !== 'yes') continue
    if (textPerson(world, { person, text, guess, webhookId: id, isUrgent: false }) === null) continue
    noteUse(world, { ...use, kind: 'told', subjectId: personId })
    if (recentUses.list(bound, now.wallMs).length === 0) noteUse(world, { ...use, ...bound })
  }
}

function policyOf({ onCall }: World, { accountId, policyId }: Webhook) {
  return policyId === null ? undefined : onCall.policy.find(accountId, policyId)
}

function aboutOf({ facts, text }: RaisedAlert): AlertAbout {
  const { key, formerKey, subject, detail = '', isWhole } = facts
  const name = joinWords(subject ?? text, detail)
  const things = groupOf(facts)
  const group = things.length > 0 && { group: { subject, things, ...(isWhole && { isWhole }) } }
  return { key, ...(formerKey && { formerKey }), text, name, ...group }
}

interface Joining {
  readonly id: string
  readonly alert: RaisedAlert
}

function join(world: World, webhook: Webhook, { id, alert }: Joining): Report {
  const { facts, guess, isAloud } = alert
  const isRepeat = world.incidents.aboutThing(webhook, facts).some(({ isOver }) => !isOver)
  const about = { ...aboutOf(alert), ...(isRepeat ? {} : unheardOf(world, webhook, facts)) }
  return report(world, id, { type: 'joined', ...about, guess, severity: facts.severity, isAloud })
}

/** Takes back texts that wait to tell the end of what is not over after all. */
function unheardOf(world: World, webhook: Webhook, facts: AlertFacts): { readonly unheard?: Unheard } {
  const { incidents, now } = world
  const group = groupOf(facts).flatMap(one => (one.isOver ? [] : one.key))
  const keys = new Set<string | null>(group.length > 0 ? group : [facts.key ?? ''])
  const people: string[] = []
  const things: EndedThing[] = []
  for (const { id, ended = [] } of incidents.ended(webhook, now.wallMs - DAY_MS)) {
    const incident = ended.some(one => keys.has(one.key)) ? incidents.get(id) : undefined
    const waited = incident === undefined ? [] : takeBackEnd(world, incident)
    people.push(...waited)
    if (waited.length > 0) things.push(...ended.filter(one => !keys.has(one.key)))
  }
  return people.length > 0 ? { unheard: { people, things } } : {}
}

function endThing(world: World, webhook: Webhook, alert: RaisedAlert): Report | null {
  const about = world.incidents.aboutThing(webhook, alert.facts).filter(({ isOver }) => !isOver)
  const over = { type: 'over', ...aboutOf(alert), guess: alert.guess } as const
  const reports = about.map(({ id }) => report(world, id, { ...over, ...downAgain(world, webhook, id) }))
  const last = reports.at(-1)
  if (last === undefined) return null
  return { id: last.id, hearers: new Set(reports.flatMap(({ hearers }) => [...hearers])) }
}

/** Of the things that the incident has from earlier ones: those that are, or were, down again since. */
function downAgain({ incidents }: World, webhook: Webhook, id: string): { readonly noEnds: string[] } {
  const { things = [] } = incidents.get(id) ?? {}
  const earlier = things.flatMap(({ key }) => (key?.startsWith(HEIR) ? key.slice(HEIR.length) : []))
  const isBack = (key: string) =>
    things.some(one => one.key === key) ||
    incidents.aboutThing(webhook, { key }).some(({ isOver }) => !isOver)
  return { noEnds: earlier.filter(isBack).map(key => HEIR + key) }
}

function acknowledge(world: World, webhook: Webhook, { facts, text, guess }: RaisedAlert): Report | null {
  const about = world.incidents.aboutThing(webhook, facts)
  const last = about.findLast(({ isOver }) => !isOver)
  return last === undefined ? null : report(world, last.id, { type: 'acknowledged', text, guess })
}

function report(world: World, id: string, event: IncidentEvent): Report {
  const before = world.incidents.get(id)
  if (before === undefined) throw new Error(`the incident ${id} is gone`)
  return reportOf(world, changeIncident(world, before, event))
}

function reportOf(world: World, incident: Incident): Report {
  const everyone = incidentFacts(world, incident).resolve('everyone')
  return { id: incident.id, hearers: new Set([...everyone, ...incident.told]) }
}

/** Whether its people may still answer. An alert that joined an unanswered incident would reach no one. */
function isWaiting({ state }: IncidentPlace): boolean {
  return state !== 'unanswered'
}
