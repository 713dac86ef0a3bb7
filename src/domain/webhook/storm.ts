/**
 * What a webhook has gathered since its last text. The alerts of a webhook that gathers are noted even while
 * each is told at once, because a later text says which of those things are still down.
 */

import type { AlertFacts, AlertThing } from '#contracts/alert-reading.ts'
import { severityRank } from '#domain/webhook/severity-rank.ts'

/** From the alert after these within `BURST_MS`, alerts are gathered. */
const ALERTS_AT_ONCE = 4
const BURST_MS = 60_000
/** How long after the first gathered alert, and then after each text, the next text is sent. */
export const TEXT_DELAYS_MS = [60_000, 120_000, 240_000, 480_000, 900_000] as const
export const STORM_DELAY_MS_MAX = 900_000
/** A storm is over after so long without an alert. */
export const CALM_MS = 300_000
/** How long a storm remembers what was down before it: a night. Then it may be up without an alert. */
export const DOWN_KEPT_MS = 43_200_000
/** Critical alerts that one storm tells at once, in any minute. */
const URGENT_MAX = 2
/** Texts that a storm sends in its first hour; so much of the cap is left for them. */
const STORM_TEXTS_MAX = 7
/** Things that are named; alerts about others are only counted. One switch may have 300 hosts behind it. */
const THINGS_MAX = 300
/** UTF-16 units; a longer name would push others out of the text. */
const NAME_LENGTH_MAX = 40

/** `gathered`: answered 200, told later. `held`: refused because of the cap, told by the summary. */
export type StormKind = 'gathered' | 'held'

/** Something that alerts are about. */
export interface Thing {
  readonly key: string
  readonly name: string
  /** Told after the name where another thing has the same one. */
  readonly detail?: string
  /** The key of the group that lists it. */
  readonly group?: string
  readonly state: 'down' | 'up' | 'other'
  /** The state that the last text about it said; null: none did. */
  readonly told: 'down' | 'up' | 'other' | null
  /** Whether the next text must name it. */
  readonly isNews: boolean
  /** The higher, the worse. */
  readonly rank: number
  /** The last alert about it, to recognize a repeat. Wall-clock milliseconds. */
  readonly at: number
  readonly request: string
}

export interface Gathered {
  /** Oldest first. */
  readonly things: readonly Thing[]
  /** Alerts that are about nothing that can be named. `text`: of the last one. */
  readonly unnamed: {
    readonly count: number
    readonly text: string
    readonly at: number
    readonly request: string
  }
  /** The last alert that was gathered. */
  readonly last: { readonly key: string | null; readonly text: string } | null
  /** When the last alerts came, at most `ALERTS_AT_ONCE`, oldest first. */
  readonly recent: readonly number[]
  /** When critical alerts were told at once, at most `URGENT_MAX`. */
  readonly urgent: readonly number[]
  /** Of what was held: whether it was more than ends. */
  readonly isAlarm?: boolean
}

export interface Storm extends Gathered {
  /** Wall-clock milliseconds, as all times here. */
  readonly lastAlertAt: number
  /** When the next text is due; null: each alert is told at once. */
  readonly nextAt: number | null
  /** How many texts were due since the storm began. */
  readonly step: number
}

/** An alert as it is noted. */
export interface GatheredAlert extends AlertFacts {
  readonly text: string
  readonly requestHash: Uint8Array
}

export const NO_STORM: Storm = {
  things: [],
  unnamed: { count: 0, text: '', at: 0, request: '' },
  last: null,
  recent: [],
  urgent: [],
  lastAlertAt: 0,
  nextAt: null,
  step: 0,
}

/** The storm as it is now: after calm weather, only what was down is known. */
export function currentStorm(known: Storm | undefined, wallMs: number): Storm {
  if (known === undefined) return NO_STORM
  return known.nextAt === null && !isWithin(CALM_MS, known.lastAlertAt, wallMs)
    ? afterStorm(known, wallMs)
    : known
}

/** What a storm leaves behind: the things that are down. A new alert about one of them is news. */
export function afterStorm({ things, lastAlertAt }: Storm, wallMs: number): Storm {
  const down = things.filter(({ state, at }) => state === 'down' && isWithin(DOWN_KEPT_MS, at, wallMs))
  return { ...NO_STORM, things: down.map(one => ({ ...one, told: null, isNews: false })), lastAlertAt }
}

/** Whether the alert that comes now is one too many to be told alone. */
export function isBurst({ recent }: Storm, wallMs: number): boolean {
  return recent.filter(at => isWithin(BURST_MS, at, wallMs)).length >= ALERTS_AT_ONCE
}

/** Whether a storm tells this alert at once: critical, about something that no text has named yet. */
export function isUrgent(storm: Storm, alert: GatheredAlert, wallMs: number): boolean {
  if (!alert.isUrgent || alert.state === 'recovered') return false
  if (storm.urgent.filter(at => isWithin(BURST_MS, at, wallMs)).length >= URGENT_MAX) return false
  if (alert.key === null) return storm.unnamed.text !== alert.text
  return knownOf(storm, alert).some(one => one === undefined || one.told === null)
}

/** Whether the same alert was gathered after `since`, and nothing else about its things. */
export function isRepeat(storm: Storm, alert: GatheredAlert, since: number): boolean {
  const name = nameOfRequest(alert.requestHash)
  const known = knownOf(storm, alert)
  return (known.length > 0 ? known : [undefined]).every(one => {
    const { at, request } = one ?? storm.unnamed
    return request === name && at > since
  })
}

/** Whether texts have told all that this alert says, so that the next text of the storm does not. */
export function isToldBefore(storm: Storm, alert: GatheredAlert): boolean {
  const known = knownOf(storm, alert)
  return known.length > 0 && known.every(one => one?.isNews === false)
}

/** The things of an alert, as far as they were noted. */
function knownOf({ things }: Storm, alert: GatheredAlert): readonly (Thing | undefined)[] {
  const known = new Map(things.map(one => [one.key, one]))
  return thingsOf(alert).map(({ key }) => known.get(key))
}

/** How many triggers of the cap are left for the texts of a storm. The first alerts come before them. */
export function placesForStorm(maxPerHour: number): number {
  return Math.min(STORM_TEXTS_MAX, Math.max(0, maxPerHour - ALERTS_AT_ONCE))
}

/** Begins a storm, unless there is one: the first text is due in a minute. */
export function beginStorm(storm: Storm, wallMs: number): Storm {
  return storm.nextAt === null ? { ...storm, nextAt: wallMs + TEXT_DELAYS_MS[0], step: 0 } : storm
}

/** How long a storm waits for its next text, at most. */
export function delayOf({ step }: Pick<Storm, 'step'>): number {
  return TEXT_DELAYS_MS[step] ?? STORM_DELAY_MS_MAX
}

/** Notes an alert that is told at once. */
export function noteTold(storm: Storm, alert: GatheredAlert, wallMs: number): Storm {
  const noted = noteAlert(storm, alert, wallMs)
  const keys = new Set(thingsOf(alert).map(({ key }) => key))
  const things = noted.things.map(one => (keys.has(one.key) ? tell(one) : one))
  const isStorm = storm.nextAt !== null || isBurst(storm, wallMs)
  const urgent = isStorm ? [...storm.urgent, wallMs].slice(-URGENT_MAX) : []
  const { unnamed } = noted
  const wasUnnamed = unnamed.count > storm.unnamed.count
  return {
    ...noted,
    things,
    unnamed: { ...unnamed, count: unnamed.count - Number(wasUnnamed) },
    last: storm.last,
    urgent,
  }
}

/** Notes an alert that the next text tells. */
export function noteAlert(storm: Storm, alert: GatheredAlert, wallMs: number): Storm {
  const request = nameOfRequest(alert.requestHash)
  const seen = { at: wallMs, request }
  const noted = {
    ...storm,
    last: { key: alert.key, text: alert.text },
    recent: [...storm.recent, wallMs].slice(-ALERTS_AT_ONCE),
    lastAlertAt: wallMs,
  }
  const things = new Map(storm.things.map(one => [one.key, one]))
  const named = thingsOf(alert)
  const rank = severityRank(alert.severity) + Number(alert.isUrgent)
  const isNamed = named.map(thing => put(things, thing, { ...seen, rank }))
  forgetLeftOut(things, alert)
  if (isNamed.length > 0 && isNamed.every(one => one)) return { ...noted, things: [...things.values()] }
  const unnamed = { count: storm.unnamed.count + 1, text: alert.text, ...seen }
  return { ...noted, things: [...things.values()], unnamed }
}

/** The alerts of a list, if they say the same as the alert as a whole; empty: it is about one thing. */
export function groupOf({ things = [], state }: Pick<AlertFacts, 'things' | 'state'>): readonly AlertThing[] {
  return things.every(({ isOver }) => isOver) === (state === 'recovered') ? things : []
}

/** What an alert is about. */
function thingsOf(
  alert: AlertFacts & { readonly text?: string },
): readonly Pick<Thing, 'key' | 'name' | 'detail' | 'group' | 'state'>[] {
  const { key, subject, detail, state: told, text = '' } = alert
  if (key === null) return []
  const state = told === 'firing' ? 'down' : told === 'recovered' ? 'up' : 'other'
  const group = groupOf(alert)
  if (group.length === 0) {
    const more = detail === undefined ? {} : { detail: shortened(detail) }
    return [{ key, name: shortened(subject ?? text), ...more, state }]
  }
  const more = { group: key, ...(subject !== null && { detail: shortened(subject) }) }
  return group.map(({ key, name, isOver }) => {
    return { key, name: shortened(name), ...more, state: isOver && state === 'down' ? 'up' : state }
  })
}

/** False: it cannot be named, as there are too many, or it says too little. */
function put(
  things: Map<string, Thing>,
  thing: ReturnType<typeof thingsOf>[number],
  seen: Pick<Thing, 'at' | 'request' | 'rank'>,
): boolean {
  const { key, state } = thing
  const known = things.get(key)
  // For example a person takes care of it. That does not mean that it is up.
  if (state === 'other' && known?.state === 'down') return false
  if (known !== undefined) {
    const isNews =
      state === 'down' ? known.told !== 'down' : state === 'other' || known.isNews || known.state !== 'up'
    things.set(key, { ...known, ...seen, state, isNews })
    return true
  }
  const settled = things.size < THINGS_MAX ? undefined : [...things.values()].find(isSettled)
  if (settled !== undefined) things.delete(settled.key)
  if (things.size >= THINGS_MAX) return false
  things.set(key, { ...thing, told: null, isNews: true, ...seen })
  return true
}

/** Whether there is nothing more to tell of a thing, or it is from before this storm. */
function isSettled({ isNews, state, told }: Thing): boolean {
  return !isNews && (state !== 'down' || told === null)
}

/** What a group leaves out when it is over is silenced: nothing will say that it is up. */
function forgetLeftOut(things: Map<string, Thing>, { key, state, isWhole, things: listed = [] }: AlertFacts) {
  const isLeft = (one: string) => one.startsWith(`${key}#`) && listed.every(thing => thing.key !== one)
  if (state !== 'recovered' || isWhole !== true) return
  for (const one of [...things.keys()].filter(isLeft)) things.delete(one)
}

function shortened(name: string): string {
  return name.slice(0, NAME_LENGTH_MAX).toWellFormed().trim()
}

/**
 * Notes the end of a problem about which the owner wants no text. It is no longer down, and that is no news.
 * Only what no text has named yet is told, as up again.
 */
export function noteQuietEnd(storm: Storm, alert: AlertFacts): Storm {
  const keys = new Set(thingsOf(alert).map(({ key }) => key))
  const isEnded = (one: Thing) => keys.has(one.key) && one.state === 'down'
  if (!storm.things.some(isEnded)) return storm
  const end = ({ told, ...one }: Thing): Thing => {
    const isTold = told !== null && !one.isNews
    return { ...one, state: 'up', told: isTold ? 'up' : told, request: '' }
  }
  return { ...storm, things: storm.things.map(one => (isEnded(one) ? end(one) : one)) }
}

/** The storm after its text was sent. */
export function afterText(storm: Storm): Storm {
  return { ...storm, things: storm.things.map(tell), unnamed: { ...storm.unnamed, count: 0 }, last: null }
}

function tell(thing: Thing): Thing {
  return { ...thing, told: thing.state, isNews: false }
}

/** Whether a time lies at most so long ago. One in the future is left over from a clock that went back. */
function isWithin(ms: number, at: number, wallMs: number): boolean {
  return at <= wallMs && wallMs - at <= ms
}

/** Enough of the hash for the alerts of a minute. */
function nameOfRequest(hash: Uint8Array): string {
  return [...hash.subarray(0, 12)].map(byte => byte.toString(16).padStart(2, '0')).join('')
}
