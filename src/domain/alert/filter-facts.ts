import type { AlertSeverity, AlertState } from '#contracts/webhook.ts'
import type { Body } from '#domain/alert/body.ts'
import { fieldKey } from '#domain/alert/read/find-fields.ts'
import type { Evidence, StateMark } from '#domain/alert/read/gather-evidence.ts'
import { isObject, type Json } from '#domain/alert/read/json-value.ts'
import { presentItems } from '#domain/alert/read/present-items.ts'
import { isTagged, readUrgency } from '#domain/alert/read/read-urgency.ts'
import { isFaultLine } from '#domain/alert/text/fault-line.ts'
import { hasFault, hasRelapse, isOnlyOver } from '#domain/alert/text/fault-words.ts'
import { readHeadline } from '#domain/alert/text/headline.ts'
import { isEndAbroad, isOverAbroad } from '#domain/alert/text/lead-of-end.ts'
import { WRAPPERS } from '#domain/alert/vocabulary/field-names.ts'
import { alertStateOf, OVER, readState, type State, severityOf } from '#domain/alert/vocabulary/states.ts'

/** What the filters of a webhook (`minSeverity`, `sendRecovered`) compare. */
export interface FilterFacts {
  /** Null: the sender does not state it, or the body says several. Such an alert is always sent. */
  readonly severity: AlertSeverity | null
  readonly state: AlertState | null
  /** Whether the sender itself states that it is critical. DOWN alone is critical without that. */
  readonly isUrgent: boolean
}

/** How an alert was read, before the rest of the body is compared with it. */
export interface Read {
  readonly state: State | null
  readonly severity: AlertSeverity | null
  readonly message: string
  /** Whether a file in `senders/` knows the body. */
  readonly isKnown: boolean
}

/** Words with which senders state that an alert is mild. */
const MILD = new RegExp(
  '^(?:warn(?:ing)?|average|minor|medium|moderate|low|info(?:rmation(?:al)?)?|notice|debug|none|p[45]|' +
    'sev(?:erity)? ?[34])$',
)
/** Words that also name a severity. Beside them a milder one is in doubt. */
const DIRE = /^(?:crit|fatal|emerg|disaster|panic|urgent)/
/** Words in the field of a severity that name none. */
const NO_RANK = /^(?:normal|default|ok)$/
/** The label before the text of a line: `[alert] zone 3`, `<emerg> panic`, `CRITICAL: disk`. */
const LINE_LABEL = /^\s*(?:[[<(](\p{L}{3,13})[\])>]|(\p{Lu}{3,13}):(?=\s))/u
/** Storage that works without one of its disks: the next failure loses data. */
const ARRAY = /\b(?:z?pools?|raid\S*|array|md\d+|mdadm|zfs|btrfs|volume|vdev|shr)\b/i
/** A label with the place, as templates of senders write it. What follows repeats the problem. */
const PLACED_END = /^(?:\[P[1-5]\] )?\[(?:Recovered|Resolved) on [^[\]]{2,200}\]/
const SKY = /\b(?:weather|wind\w*|rain\w*|snow\w*|storm\w*|sky|forecast|gusts?|temperature|heat|frost)\b/i
/** How many lines of a message may say that the alert is over. */
const HEADS_MAX = 4
/** A line of so few words tells of no other event. */
const SHORT_WORDS = 3
const WELL = new RegExp(
  '\\b(?:up|online|ok|okay|again|back|normal|reachable|responding|working|running|connected|available' +
    '|healthy|success\\w*|passed|recovered|resolved|restored|cleared|closed|down ?time|clear)\\b',
  'i',
)
/** Words beside which an alert may be over. */
const DONE = new RegExp(
  '^(?:completed?|finished|done|skipped|info\\w*|notice|debug|none|low|active|activated|enabled|running|' +
    'update|created|new|started|ready|live)$',
)
/** Weak states that only a problem has. */
const CONTRARY: ReadonlySet<string> = new Set(
  'FIRING TRIGGERED ALERTING ALERT ALARM PROBLEM OPEN HIGH'.split(' '),
)

/**
 * What the filters may use. An alert is over only if nothing in the body says otherwise. A severity below
 * critical counts only if the sender states it and nothing in the body is worse.
 */
export function filterFacts(body: Body, evidence: Evidence, read: Read): FilterFacts {
  const told = alertStateOf(read.state)
  const state = told === 'recovered' && !isOver(evidence, body, read) ? 'firing' : told
  const severity = statedSeverity(body, evidence, read)
  return { state, severity, isUrgent: severity === 'critical' && statesCritical(body, evidence, read) }
}

/** The worst of the present states that say that there is a problem. */
export function worstMark({ states, ranks }: Evidence): StateMark | undefined {
  const contrary = [...states, ...ranks].filter(isContrary)
  return contrary.find(({ state }) => state?.kind === 'bad') ?? contrary[0]
}

/** The worst bad state of a field, which a text must not leave out. */
export function badField({ states }: Evidence): StateMark | undefined {
  const bad = states.filter(
    mark => mark.state?.kind === 'bad' && !mark.isEvent && !mark.isLine && !mark.isLabel,
  )
  return bad.find(({ state }) => severityOf(state) === 'critical') ?? bad[0]
}

/** A state of a field that Roost does not know: `faulted`. */
export function unclearField({ states }: Evidence): StateMark | undefined {
  return states.find(mark => isUnclear(mark) && !mark.isLine && !mark.isLabel)
}

/** Objects that hold the state of the alert itself, beside those in which its fields are looked up. */
const OWNERS: ReadonlySet<string> = new Set(['monitor', 'alarm', 'problem', 'issue'])

/** The state that only means over, of a body that says nothing else of the present. Null: there is none. */
export function endState(body: Body, evidence: Evidence, read: Read): State | null {
  const isOwn = ({ owner, ownerName }: StateMark) =>
    owner === evidence.value || WRAPPERS.has(fieldKey(ownerName)) || OWNERS.has(fieldKey(ownerName))
  const end = evidence.states.find(
    mark =>
      (mark.isEvent ? endsField(mark.state) : OVER.has(mark.state?.word ?? '')) &&
      !mark.isLabel &&
      isOwn(mark) &&
      !isWeather(mark, evidence),
  )
  const state = end?.state ?? null
  return state !== null && isOver(evidence, body, { ...read, state }) ? state : null
}

/** Whether a field with this state says that it is over. In a sentence, `restored` may be a question. */
function endsField(state: State | null): boolean {
  return state?.word === 'RESTORED' || OVER.has(state?.word ?? '')
}

/** Whether a field may say that the sky is clear. */
function isWeather({ name, text }: StateMark, { ranks, lines }: Evidence): boolean {
  return name === 'condition' && text === 'clear' && (ranks.length === 0 || lines.some(one => SKY.test(one)))
}

function isOver(evidence: Evidence, body: Body, { state: told, isKnown }: Read): boolean {
  const { states, ranks, lines, claims, former } = evidence
  if (!evidence.isWhole || evidence.isFlagged) return false
  const isTurned =
    former.length > 0 &&
    ![...states, ...ranks].some(isContrary) &&
    !claims.some(line => readState(line)?.kind === 'bad')
  const sure = states.filter(
    ({ state, isEvent, name }) =>
      state !== null &&
      (endsField(state) ||
        (isTurned &&
          !isEvent &&
          state.kind === 'good' &&
          (former.includes('') || former.includes(name)) &&
          !claims.some(isFaultLine))),
  )
  const present = states.filter(
    mark => !mark.isLabel && (!mark.isEvent || sure.some(one => one.name === mark.name)),
  )
  if (present.some(isContrary) || !coversItems(evidence.value, states.filter(isGood))) return false
  if (isKnown && told?.isSure === true) return true
  // Senders repeat the problem beside such a state. Only words that take it back count.
  const isSure =
    sure.length > 0 || PLACED_END.test(body.title) || (isKnown && told !== null && OVER.has(told.word))
  // A valve that is closed may have a fault.
  const isClosed =
    sure.every(({ state }) => state?.word === 'CLOSED') && (told?.word ?? 'CLOSED') === 'CLOSED'
  if (isSure && !(isClosed && evidence.hasError)) return !lines.some(hasRelapse)
  if (evidence.isAffected) return false
  const heads = [body.title, ...body.message.split('\n', HEADS_MAX)]
  if (heads.some(saysOver)) {
    if (lines.some(isEndAbroad)) return lines.length === 1 && lines.every(isOverAbroad)
    return claims.every(isOnlyOver)
  }
  if (!isKnown && !states.some(isGood) && body.title !== '' && !claims.every(isAboutEnd)) return false
  const isDenied =
    evidence.hasError || [...states, ...ranks].some(mark => isContrary(mark) || isUnclear(mark))
  return !isDenied && !hasFaultyLine(evidence)
}

const faulty = new WeakMap<Evidence, boolean>()

/** Whether any line has a word of a problem. The search takes milliseconds, so its result is kept. */
function hasFaultyLine(evidence: Evidence): boolean {
  const known = faulty.get(evidence) ?? evidence.lines.some(hasFault)
  faulty.set(evidence, known)
  return known
}

/**
 * Whether a line may stand beside a title such as `nas is online`: a short one, or one that itself says that
 * all is well. Another sentence may tell of another event.
 */
function isAboutEnd(line: string): boolean {
  const bare = line.replace(/https?:\S+/g, '')
  return WELL.test(bare) || bare.split(/[^\p{L}]+/u).filter(word => word.length > 1).length <= SHORT_WORDS
}

/** Whether a headline says that a problem is over: `RESOLVED: disk full`, `nas has recovered`. */
function saysOver(line: string): boolean {
  const { state, stated } = readHeadline(line)
  return state !== null && OVER.has(state.word) && (stated ? !/\?(?:\s|$)/.test(line) : !hasFault(line))
}

function isGood({ state }: StateMark): boolean {
  return state?.kind === 'good'
}

/** Whether each item of every list has one of these marks, where any item has one. */
function coversItems(value: Json, marks: readonly StateMark[]): boolean {
  const owners = new Set(marks.map(mark => mark.owner))
  let isCovered = true
  const hasMark = (part: Json): boolean => {
    if (typeof part !== 'object' || part === null) return false
    const isOwner = isObject(part) && owners.has(part)
    const inner = Array.isArray(part)
      ? part
      : Object.entries(part).map(([name, one]) => (Array.isArray(one) ? [...presentItems(name, one)] : one))
    const found = inner.map(hasMark)
    const isAny = found.includes(true)
    if (isAny && Array.isArray(part) && found.includes(false)) isCovered = false
    return isOwner || isAny
  }
  hasMark(value)
  return isCovered
}

/** Whether a field says that there is a problem, or that nobody knows. */
export function isContrary({ state, text }: StateMark): boolean {
  if (state === null || DONE.test(text)) return false
  return state.kind === 'bad' || state.kind === 'other' || CONTRARY.has(state.word)
}

/** Whether a field of a state has a word that Roost does not know: `rebuilding`, `removed`. */
function isUnclear({ isEvent, text, state }: StateMark): boolean {
  return state === null && !isEvent && /^\p{L}{3,20}$/u.test(text) && !DONE.test(text)
}

function statedSeverity(body: Body, evidence: Evidence, read: Read): AlertSeverity | null {
  const { state, message } = read
  const states = [state, ...evidence.states.map(mark => mark.state)]
  const names = body.scopes.flatMap(scope => [...scope.keys()]).join(' ')
  if (states.some(one => one?.word === 'DEGRADED') && ARRAY.test(`${message}\n${body.text}\n${names}`))
    return 'critical'
  const found = read.severity ?? severityOf(state)
  if (found === 'critical') return found
  if (!evidence.isWhole) return null
  if (statesAnother(evidence)) return null
  const isFaulty = evidence.isFlagged || evidence.isAffected || evidence.hasError || hasFaultyLine(evidence)
  if (found === null) {
    const urgency = readUrgency(body)
    return urgency === 'critical' || !isFaulty || isTagged(body) ? urgency : null
  }
  const worse = evidence.states.filter(mark => isWorse(mark, found))
  // The author of a rule sets its severity. Other marks, such as the level of a log line, say less.
  const isSet = evidence.ranks.some(({ name, text }) => name === 'severity' && MILD.test(text))
  if (worse.some(mark => !isSet || (!mark.isLine && (found === 'info' || DIRE.test(mark.text))))) return null
  if (isSet) return found
  if (found === 'info' && isFaulty) return null
  const isMarked = [...evidence.ranks, ...evidence.states].some(({ text }) => MILD.test(text))
  return isMarked || (!isFaulty && hasMildLabel(body)) ? found : null
}

function statesCritical(body: Body, { ranks }: Evidence, { state, severity }: Read): boolean {
  const words = [state?.word.toLowerCase() ?? '', ...ranks.map(({ text }) => text)]
  return severity === 'critical' || words.some(word => DIRE.test(word)) || readUrgency(body) === 'critical'
}

/** Whether any severity is not known as mild, or an item of a list has none. */
function statesAnother({ value, ranks, lines }: Evidence): boolean {
  const isNotMild = ({ text, state }: StateMark) =>
    /\p{L}/u.test(text) && !MILD.test(text) && !NO_RANK.test(text) && state?.kind !== 'good'
  return ranks.some(isNotMild) || !coversItems(value, ranks) || lines.some(hasDireLabel)
}

/** Whether a line begins with a severity that is critical, or with the word of an alarm. */
function hasDireLabel(line: string): boolean {
  const [, bracketed = '', leading = ''] = LINE_LABEL.exec(line) ?? []
  const label = bracketed || leading
  const state = readState(label)
  return (
    DIRE.test(label.toLowerCase()) ||
    /^ALERT|^ALARM/.test(state?.word ?? '') ||
    severityOf(state) === 'critical'
  )
}

function isWorse({ isEvent, state }: StateMark, found: AlertSeverity): boolean {
  return !isEvent && state?.kind === 'bad' && (found === 'info' || severityOf(state) === 'critical')
}

/** Whether the title or the message begins with a severity: `WARNING: disk`, `[Info] disk`. */
function hasMildLabel(body: Body): boolean {
  return [body.title, body.message].some(text =>
    MILD.test((/^\W{0,8}(\p{L}{3,13})(?=[\]):|]| - )/u.exec(text)?.[1] ?? '').toLowerCase()),
  )
}
