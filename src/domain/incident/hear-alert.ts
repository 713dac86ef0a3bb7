/** What a further alert does to an incident, and who hears of the things that join it. */
import { ACCOUNT_BOUNDS } from '#contracts/account-bounds.ts'
import { say, sentence } from '#contracts/words.ts'
import { namesText } from '#domain/alert/storm-text.ts'
import { shortName } from '#domain/alert/text/cut-text.ts'
import type { Incident, IncidentThing } from '#domain/incident/incident.ts'
import {
  awake,
  change,
  close,
  HEIR,
  type IncidentDraft,
  inherit,
  note,
  type Telling,
  tell,
} from '#domain/incident/incident-draft.ts'
import type { AlertAbout, EventOf } from '#domain/incident/incident-events.ts'
import { askLine } from '#domain/incident/incident-text.ts'
import { ALSO_MS, alsoDueAt, hurry, reopen } from '#domain/incident/walk-steps.ts'
import { severityRank } from '#domain/webhook/severity-rank.ts'

const THINGS_MAX = ACCOUNT_BOUNDS.incidentThings.most
/** Names that a text may have room for. */
const NAMES_MAX = 100

export function join(draft: IncidentDraft, event: EventOf<'joined'>): void {
  const { state, alerts, severity: before, told, key: own } = draft.incident
  const { key, group, text, guess = false, severity, isAloud } = event
  if (state === 'closed') return
  const { things, names } = thingsAfter(draft.incident, event, false)
  change(draft, { alerts: alerts + 1, alertAt: draft.facts.wallMs, things })
  inherit(draft, event.unheard)
  note(draft, 'joined', { detail: text })
  const isWorse = severityRank(severity) > severityRank(before)
  // All steps are over without an answer, so the steps begin again for this alert.
  if (state === 'unanswered') return reopen(draft, { text, guess, severity: isWorse ? severity : before })
  if (!isWorse) {
    // The incident shows the latest text of its group.
    if (names.length > 0 && group !== undefined && key === own) change(draft, { text, guess })
    return isAloud && names.length > 0 ? tellOfThings(draft, event, names) : undefined
  }
  // Only the first rise is told. A rise to critical is always told.
  const isNews = draft.incident.isRisen !== true || severity === 'critical'
  change(draft, { severity, text, guess, isRisen: true })
  if (draft.incident.quietUntil !== null) hurry(draft)
  if (isNews) tell(draft, awake(draft, told), { asks: state === 'open' })
  const isTold = draft.effects.some(({ type }) => type === 'tell')
  if (isAloud && names.length > 0 && !isTold) tellOfThings(draft, event, names)
}

export function endThings(draft: IncidentDraft, event: EventOf<'over'>): void {
  const { state, told } = draft.incident
  if (state === 'closed') return
  const { things, isChanged } = thingsAfter(draft.incident, event, true)
  if (!isChanged) return
  change(draft, { things })
  if (!things.every(({ isOver }) => isOver)) return
  const textOf = (ended: readonly IncidentThing[]): string => {
    const names = ended.flatMap(({ name }) => name ?? [])
    if (names.length < 2) return event.text
    return namesText(say(draft.facts.language, '{count} up again', { count: names.length }), names)
  }
  const { guess = false } = event
  const own = things.filter(({ key }) => key?.startsWith(HEIR) !== true)
  const all = things.filter(({ key }) => event.noEnds?.includes(key ?? '') !== true)
  close(draft, 'sender', { people: told, text: textOf(own), textOfHeirs: textOf(all), guess })
}

interface ThingsAfter {
  readonly things: readonly IncidentThing[]
  /** Of those that are new. */
  readonly names: readonly string[]
  readonly isChanged: boolean
}

/** The things of an incident after an alert. */
export function thingsAfter(
  { things: known, text: told }: Pick<Incident, 'things' | 'text'>,
  { key, formerKey, name, text, group }: AlertAbout,
  isOver: boolean,
): ThingsAfter {
  const said = group?.things ?? [{ key, name: shortName(name ?? text), isOver }]
  const isOfGroup = said.every(one => one.key !== key)
  const things = new Map(known.map(one => [one.key, one]))
  const members = () => [...things.values()].filter(one => one.key?.startsWith(`${key}#`))
  // The release before noted no names: it is not known which thing it told, but in which words.
  const old = things.get(things.has(key) ? key : (formerKey ?? key))
  const isOld = old !== undefined && old.key !== null && old.name === undefined && members().length === 0
  const isTold = isOld && (told === text || (old.key === key && !isOfGroup))
  if (isOld) things.delete(old.key)
  const names: string[] = []
  let isChanged = false
  const set = (thing: IncidentThing): void => {
    isChanged = true
    things.set(thing.key, thing)
  }
  if (isOfGroup && !things.has(key)) set({ key, isOver })
  for (const thing of said) {
    // An alert without a key is another thing each time.
    const before = thing.key === null ? undefined : things.get(thing.key)
    const isNew = before === undefined && (!thing.isOver || isOld)
    // All things beyond the bound share one entry without a key. Only the first of them is told.
    const isFull = thing.key !== null && things.size >= THINGS_MAX && things.has(null)
    if (isNew && !isTold && !isFull) names.push(thing.name)
    if (before !== undefined && before.isOver !== thing.isOver) set({ ...before, isOver: thing.isOver })
    if (!isNew || (thing.key === null && known.length > 0)) continue
    // Nothing ends the entry of the things beyond the bound, so the incident does not end without them.
    set(things.size < THINGS_MAX ? thing : { key: null, isOver: false })
  }
  // A group may end without a list of its things: then all have ended. What a whole list leaves out is
  // silenced: no end will come of it, and it is not up again.
  for (const one of isOver ? members().filter(one => !one.isOver) : []) {
    if (group === undefined) set({ ...one, isOver: true })
    else if (group.isWhole) isChanged = things.delete(one.key)
  }
  if (isOfGroup && isChanged) set({ key, isOver: members().every(one => one.isOver) })
  return { things: isChanged ? [...things.values()] : known, names, isChanged }
}

/** Tells of the first thing at once, and of all that follow within a minute in one text. */
function tellOfThings(draft: IncidentDraft, event: EventOf<'joined'>, names: readonly string[]): void {
  const { also } = draft.incident
  const { wallMs } = draft.facts
  const group = event.group?.subject ?? null
  const firing = event.group?.things.filter(({ isOver }) => !isOver) ?? names
  const before = also !== undefined && also.count > 0 ? also : null
  const isAlone = before === null && firing.length === names.length
  const next = {
    since: also?.since ?? wallMs,
    text: isAlone ? event.text : null,
    guess: isAlone && event.guess === true,
    group: before === null || before.group === group ? group : null,
    names: [...(before?.names ?? []), ...names].slice(0, NAMES_MAX),
    count: (before?.count ?? 0) + names.length,
  }
  change(draft, { also: next })
  if (also === undefined || (before === null && alsoDueAt(also) <= wallMs)) tellAlso(draft)
}

/** Tells of the things that joined since the last such text, once somebody can hear of them. */
export function tellAlso(draft: IncidentDraft): void {
  const { incident, facts } = draft
  const { also, severity } = incident
  const people = hearers(draft)
  if (also === undefined || people.length === 0) return
  if (awake(draft, people).length === 0) {
    const ends = people.map(one => facts.quietUntil(one, severity) ?? facts.wallMs)
    return change(draft, { also: { ...also, since: Math.min(...ends) - ALSO_MS } })
  }
  const { group, names, count } = also
  const head = group ?? say(facts.language, '1 alert|{count} alerts', { count })
  const line = askLine(facts.language)
  tellMore(draft, { text: also.text ?? namesText(head, names, { count, line }), guess: also.guess })
  const isTold = draft.effects.some(({ type }) => type === 'tell')
  // If the bounds of all people hold it back, it is tried again in a minute.
  const left = isTold ? { text: null, names: [], count: 0 } : {}
  change(draft, { also: { ...also, since: facts.wallMs, ...left } })
}

/** Texts the person who has taken it, or all who were told so far. */
export function tellMore(draft: IncidentDraft, telling: Telling): void {
  const { incident } = draft
  if (incident.state === 'closed') return
  const words = incident.state === 'taken' ? { before: sentence('Also') } : { asks: true }
  tell(draft, awake(draft, hearers(draft)), { ...words, isAlso: true, ...telling })
}

function hearers({ incident, facts }: IncidentDraft): readonly string[] {
  const { state, told, takenBy } = incident
  if (state !== 'taken' || takenBy === null || takenBy === 'owner') return told
  // The person may have been removed.
  return facts.nameOf(takenBy) === null ? told : [takenBy]
}
