import { linesBesideEnds } from '#domain/alert/read/ended-lines.ts'
import {
  BAD,
  BAD_FLAG,
  ERRORS,
  EVENTS,
  GOOD,
  isLatest,
  isPast,
  LABELS,
  lastOf,
  NO_COUNT,
  OVER,
  PAST,
  RANKS,
  RULES,
  SETTINGS,
  STATES,
} from '#domain/alert/read/evidence-words.ts'
import { isObject, type Json, type JsonObject } from '#domain/alert/read/json-value.ts'
import { presentItems } from '#domain/alert/read/present-items.ts'
import { cellsOf, isTableOfStates, stateColumns, TABLE_SIZE_MAX } from '#domain/alert/read/state-columns.ts'
import { inEnglish } from '#domain/alert/vocabulary/other-languages.ts'
import { readFieldState, readState, type State, tokensOf } from '#domain/alert/vocabulary/states.ts'

/** Enough for every alert that a person reads. What is beyond was not looked at, so nothing is sure then. */
export const LEAVES_MAX = 2000
const CHARACTERS_MAX = 16_384

/** A field or `Name: value` line whose name says that it holds a state or a severity. */
export interface StateMark {
  /** The last word of its name: `status` for `check_status`. */
  readonly name: string
  /** Whether it names an event, such as `type`, which may have any value. */
  readonly isEvent: boolean
  readonly text: string
  readonly state: State | null
  /** Whether it is a line of a text. */
  readonly isLine: boolean
  /** The object that it is a field of, and the name of that object. */
  readonly owner: JsonObject | null
  readonly ownerName: string
  /** Whether it is one of the labels of an alert, which stay the same when the alert is over. */
  readonly isLabel: boolean
}

/** What a body says about the present. Its past (`previous`, `old`, `last`, `from`) is left out. */
export interface Evidence {
  /** What was looked at. */
  readonly value: Json
  readonly states: readonly StateMark[]
  readonly ranks: readonly StateMark[]
  /** The lines of all texts. */
  readonly lines: readonly string[]
  /** Those that do not merely repeat what the problem was: without labels, severities and names of rules. */
  readonly claims: readonly string[]
  /** Whether a flag or a count says that something is wrong: `ok=false`, `failed_disks=1`. */
  readonly isFlagged: boolean
  /** Whether there is something that was affected, as a sender may also tell when it is over. */
  readonly isAffected: boolean
  /** Whether a field with an error or a number of errors says so: `errors=3`. */
  readonly hasError: boolean
  /** The last words of fields of the past that tell of a problem: `state` of `OldState: ALARM`. */
  readonly former: readonly string[]
  /** False: the body is too large to look at all of it. */
  readonly isWhole: boolean
}

const RULE_LENGTH_MIN = 6
const RULES_MAX = 8
/** Names of what the alert is or was about, which stay when it is over: `affected_resources`. */
const TOLD_AFTERWARDS =
  /^(?:affected|impacted) (?:resource|entit|component|host|service|device|item)|^violations? count$/
/** `alert_action`, `incidentEvent` */
const EVENT_KEY =
  /^(?:alert|alarm|event|incident|problem|trigger|notification)(?:action|event|type|kind|stage)$/
/** Objects with the limits of a rule: `thresholds: {failed: 3}`. */
const LIMITS = /^(?:thresholds?|limits?)$/i
const YES = /^(?:true|yes|on)$/i
const EXIT = /^(?:exit|return)(?:code|status)$|^rc$|^(?:fault|error)code$/
/** `active_alerts`, `ongoingIncidents` */
const ACTIVE = /\b(?:active|ongoing|current) (?:\w+ )?(?:alerts?|incidents?|issues?)\b/
/** A longer text before a colon is a sentence: `Never recovered from failover: db2`. */
const PAST_WORDS_MAX = 3
const KEY_LINE = /^[\s>*-]*([\p{L}][\p{L}\p{N} _/.-]{0,39}?)\s*(?::(?=\s)|=)\s*(\S.*)$/u
/** The level of a tank or a battery. */
const LEVEL_OF_THING = /^(?:low|none|empty|full)$/
const HARMLESS = /^(?:0|no|none|ok|false|null|nil|-|\[\]|\{\}|n\/a|normal|off)?$/i

interface Gathered {
  states: StateMark[]
  ranks: StateMark[]
  lines: string[]
  claims: string[]
  /** The names of rules, which senders repeat in other texts. */
  rules: string[]
  isFlagged: boolean
  isAffected: boolean
  hasError: boolean
  former: string[]
  leaves: number
  characters: number
  /** Values of lists that may still be searched for states. */
  cells: number
}

interface Origin {
  readonly name: string
  readonly owner: JsonObject | null
  readonly ownerName: string
  readonly isLabel: boolean
  readonly isLine?: boolean
  /** Whether it is one of several fields that are all states: `{"db":"ok","redis":"fail"}`. */
  readonly isPart?: boolean
  /** Fields that are states in each item of this list: `smart` of `[{"disk":"sda","smart":"PASSED"}]`. */
  readonly columns?: readonly string[]
}

const NOWHERE: Origin = { name: '', owner: null, ownerName: '', isLabel: false }

/** Reads the first fields of a value, outer ones first. `leavesMax`: how many, at most `LEAVES_MAX`. */
export function gatherEvidence(value: Json, leavesMax = LEAVES_MAX): Evidence {
  const found: Gathered = {
    states: [],
    ranks: [],
    lines: [],
    claims: [],
    rules: [],
    isFlagged: false,
    isAffected: false,
    hasError: false,
    former: [],
    leaves: LEAVES_MAX - leavesMax,
    characters: 0,
    cells: 2 * leavesMax,
  }
  const queue: (readonly [Json, Origin])[] = [[value, NOWHERE]]
  // What stands behind this place of the queue is not reached, so its names need not be read.
  const reached = leavesMax + 2
  for (let at = 0; at < queue.length && isRoom(found); at += 1) {
    const [next, origin] = queue[at] ?? [null, NOWHERE]
    if (Array.isArray(next)) {
      if (next.length > 0 && isBadName(origin.name) && !next.some(hasState)) noteBad(origin.name, found)
      const items = presentItems(origin.name, next).slice(0, reached - queue.length)
      const columns = found.cells > 0 ? stateColumns(items) : []
      found.cells -= cellsOf(items)
      for (const item of items) queue.push([item, columns.length === 0 ? origin : { ...origin, columns }])
    } else if (isObject(next)) {
      if (isBadName(origin.name) && !hasState(next)) noteBad(origin.name, found)
      const names = Object.keys(next)
      const isPart = names.length <= TABLE_SIZE_MAX && isTableOfStates(next)
      for (const name of names.slice(0, reached - queue.length)) {
        if (isPast(name) && !isLatest(name, names)) {
          if (isBadPast(name, next[name] ?? null))
            found.former.push(lastOf(tokensOf(name).filter(token => !PAST.has(token))))
          continue
        }
        const isLabel = origin.isLabel || tokensOf(name).some(token => LABELS.has(token))
        const isColumn = origin.columns?.includes(name) ?? false
        const ownerName = isPart ? name : origin.name
        const from = { name, owner: next, ownerName, isLabel, isPart: isPart || isColumn }
        queue.push([next[name] ?? null, from])
      }
    } else readLeaf(next, origin, found)
    found.leaves += 1
  }
  const claims = found.claims.map(line => withoutRules(line, found))
  return { ...found, value, claims, isWhole: isRoom(found) }
}

function withoutRules(line: string, { rules }: Gathered): string {
  return rules.reduce((rest, rule) => rest.replaceAll(rule, ' '), line)
}

/** Whether a name says that what it counts or lists is bad: `open_incidents`, `othersDown`. */
function isBadName(name: string): boolean {
  const tokens = tokensOf(name.slice(-64))
  const isBad = tokens.some(token => BAD.has(token)) || ACTIVE.test(tokens.join(' '))
  return isBad && !tokens.some(token => NO_COUNT.has(token))
}

function noteBad(name: string, found: Gathered): void {
  if (TOLD_AFTERWARDS.test(tokensOf(name.slice(-64)).join(' '))) found.isAffected = true
  else found.isFlagged = true
}

/** Whether it is an object that has an own state. */
function hasState(value: Json): boolean {
  return isObject(value) && Object.keys(value).some(name => STATES.has(tokensOf(name).at(-1) ?? ''))
}

/** Whether a name says that something is bad if it is true: `battery_low`. */
function isBadFlag(name: string): boolean {
  const tokens = tokensOf(name.slice(-64))
  if (SETTINGS.has(tokens[0] ?? '')) return false
  return tokens.some(token => BAD.has(token) || BAD_FLAG.has(token))
}

function isRoom({ leaves, characters }: Gathered): boolean {
  return leaves <= LEAVES_MAX && characters <= CHARACTERS_MAX
}

/** Whether a field or object of the past holds the state of a problem: `from: firing`. */
function isBadPast(name: string, value: Json): boolean {
  if (isObject(value))
    return Object.entries(value).some(([key, inner]) => !isObject(inner) && isBadPast(key, inner))
  const last = lastOf(tokensOf(name))
  if (typeof value !== 'string' || !(STATES.has(last) || PAST.has(last))) return false
  const state = readState(value)
  return (
    state?.kind === 'bad' || /^(?:FIRING|TRIGGERED|ALERTING|ALARM|PROBLEM|NODATA)$/.test(state?.word ?? '')
  )
}

function readLeaf(value: Json, origin: Origin, found: Gathered): void {
  if (typeof value === 'boolean') {
    const last = tokensOf(origin.name.slice(-64)).at(-1) ?? ''
    if (value ? isBadFlag(origin.name) : GOOD.has(last) || OVER.has(last)) found.isFlagged = true
    if (!value && GOOD.has(last)) noteMark({ ...origin, name: 'state' }, GOOD.get(last) ?? '', found)
    else if (value && OVER.has(last)) noteMark({ ...origin, name: 'state' }, last, found)
    return
  }
  const text = value === null ? '' : String(value).slice(0, CHARACTERS_MAX + 1)
  found.characters += text.length
  const lines = text.split(/[\r\n]+/)
  if (lines.length === 1) return readField(origin, text, found)
  const rest = linesBesideEnds(lines)
  if (rest !== null) noteMark({ ...origin, name: 'state', isLine: true }, 'cleared', found)
  for (const line of rest ?? lines) readField(origin, line, found)
}

/** A `Name: value` line of a field is read as a field of that name. */
function readField(origin: Origin, line: string, found: Gathered): void {
  const [, name = '', value = ''] = KEY_LINE.exec(line.slice(0, 512)) ?? []
  if (name.split(' ').length <= PAST_WORDS_MAX && isPast(name)) return
  noteMark(origin, line, found)
  if (name !== '' && !/^\d/.test(name)) noteMark({ ...origin, name, isLine: true }, value, found)
  if (!/\p{L}/u.test(line)) return
  // `TreatMissingData: missing`
  if (/^[a-z]+$/.test(line) && SETTINGS.has(tokensOf(origin.name)[0] ?? '')) return
  found.lines.push(line)
  if (isBadName(origin.name) && !isRepeated(origin) && /\p{L}{2}\S* \S/u.test(line)) found.hasError = true
  const source = name === '' || isRepeated(origin) ? origin : { ...origin, name }
  if (isRepeated(source)) noteRule(source, value || line, found)
  else found.claims.push(line)
}

/** Whether a field repeats what the problem was. */
function isRepeated({ name, isLabel }: Origin): boolean {
  const tokens = tokensOf(name.slice(-64))
  return isLabel || RANKS.has(tokens.at(-1) ?? '') || RULES.has(tokens.join(''))
}

function noteRule({ name }: Origin, value: string, { rules }: Gathered): void {
  const isRule = RULES.has(tokensOf(name.slice(-64)).join(''))
  if (isRule && value.length >= RULE_LENGTH_MIN && rules.length < RULES_MAX) rules.push(value)
}

function noteMark(origin: Origin, line: string, found: Gathered): void {
  const { name, owner, ownerName, isLabel, isLine = false, isPart = false } = origin
  const tokens = tokensOf(inEnglish(name.slice(-64).toLowerCase()) === 'state' ? 'state' : name.slice(-64))
  const last = lastOf(tokens)
  const key = tokens.join('')
  const text = line.trim().toLowerCase()
  if ((GOOD.has(last) || OVER.has(last)) && /^(?:false|no|0)$/.test(text)) found.isFlagged = true
  const isNumber = !LIMITS.test(ownerName) && /^\d+(?:\.\d+)?$/.test(text)
  const isCount = isNumber && Number(text) > 0
  if (
    isCount ? BAD.has(last) || EXIT.test(key) : ERRORS.has(last) && tokens[0] !== 'on' && !HARMLESS.test(text)
  )
    found.hasError = true
  if (isCount && isBadName(name)) noteBad(name, found)
  if (!isCount && YES.test(text) && isBadFlag(name)) found.isFlagged = true
  const isEvent = EVENTS.has(key) || (EVENT_KEY.test(key) && !STATES.has(last))
  // Pingdom's `importance_level` says how important a monitor is.
  const isNamed = RANKS.has(last) || tokens[0] === 'severity'
  const isRank = isNamed && key !== 'importancelevel' && !(last === 'level' && LEVEL_OF_THING.test(text))
  if (!STATES.has(last) && !isEvent && !isRank && !isPart) return
  const state = stateOf(line.trim(), isEvent)
  const mark = { name: last, isEvent, text, state, isLine, owner, ownerName, isLabel }
  if (isRank) found.ranks.push(mark)
  // What a monitor does ("Action: alert") is no state.
  else if (key !== 'action' || text !== 'alert') found.states.push(mark)
}

/** The last word of the name of an event: `resolved` for `WaterLeakResolvedEvent`. */
function endOfEvent(value: string): string | undefined {
  return tokensOf(value).findLast(token => !/^(?:event|notification)$/.test(token))
}

/** The state of a value. The name of an event says it last: `incident_resolved`. */
function stateOf(value: string, isEvent: boolean): State | null {
  const name = isEvent && /^[\w.:-]{1,60}$/.test(value) ? endOfEvent(value) : undefined
  return readFieldState(value) ?? readState(name ?? /^(recovered|resolved) from /i.exec(value)?.[1] ?? '')
}
