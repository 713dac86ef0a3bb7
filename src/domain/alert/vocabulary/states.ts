import type { AlertSeverity, AlertState } from '#contracts/webhook.ts'

/**
 * What a state means. `test`: someone is testing the sender's settings. `good`: the problem is over, or
 * someone is handling it. `bad`: the state says how bad the problem is. `weak`: the word says
 * little, such as NEW or OPEN. If the alert has a severity, the text shows the severity instead. `quiet`: not
 * worth showing. `other`: none of these.
 */
export type StateKind = 'test' | 'good' | 'bad' | 'weak' | 'other' | 'quiet'

export interface State {
  /** The word at the start of a text, in capitals. Empty if the sender's own words already say it. */
  readonly word: string
  readonly kind: StateKind
  /** How bad it is, for a state that only one sender has. */
  readonly severity?: AlertSeverity
  /** Whether it is the sender's own word for this problem, so that a good one means that it is over. */
  readonly isSure?: boolean
}

/** Bad states with the severity `warning`. All other states of kind `bad` are critical. */
export const WARNINGS: ReadonlySet<string> = new Set(
  'WARN DEGRADED MINOR SLOW MISSED TROUBLE TIMEOUT P3 P4 P5 SEV3 SEV4'.split(' '),
)

/** States that only mean that a problem is over. Other good ones may be those of an envelope. */
export const OVER: ReadonlySet<string> = new Set(['RESOLVED', 'RECOVERED', 'CLEAR', 'CLOSED'])

/** How bad a state is. `null` for a state that does not say, such as FIRING or UP. */
export function severityOf(state: State | null): AlertSeverity | null {
  if (state?.severity !== undefined) return state.severity
  if (state?.kind === 'bad') return WARNINGS.has(state.word) ? 'warning' : 'critical'
  if (state?.kind === 'quiet') return 'info'
  return state?.word === 'HIGH' ? 'critical' : null
}

/** The state of the alert, as the filters of webhooks compare it. */
export function alertStateOf(state: State | null): AlertState | null {
  if (state === null) return null
  if (state.kind === 'test') return 'test'
  if (state.kind === 'bad' || state.kind === 'weak') return 'firing'
  if (state.kind !== 'good' || state.word === 'MAINTENANCE') return 'notice'
  return state.word === 'ACKNOWLEDGED' ? 'acknowledged' : 'recovered'
}

/**
 * The words for each kind of state, in lower-case letters only. `word=SHOWN`: the text begins with SHOWN. A
 * word alone is shown in capitals.
 */
const VOCABULARY: Readonly<Record<StateKind, string>> = {
  test: 'ping=TEST',
  good:
    'up online=UP ok healthy passing=OK passed=PASSED success=OK successful=OK succeeded=OK ' +
    'resolved resolve=RESOLVED recovered recover=RECOVERED recovery=RECOVERED restored=RESTORED ' +
    'clear=CLEAR cleared=CLEAR closed close=CLOSED operational=OK deactivated=RESOLVED acknowledged ' +
    'acknowledge=ACKNOWLEDGED acknowledgement=ACKNOWLEDGED ack=ACKNOWLEDGED fixed',
  bad:
    'down offline=OFFLINE unreachable outage=DOWN error errored=ERROR err=ERROR failed ' +
    'failure=FAILED fail=FAILED failing=FAILING critical crit=CRITICAL warning=WARN warn fatal ' +
    'emergency emerg=EMERGENCY disaster major minor degraded=DEGRADED unhealthy=UNHEALTHY ' +
    'expired=EXPIRED expiring=WARN timeout=TIMEOUT missed=MISSED urgent=URGENT trouble slow ' +
    'disconnected crashed die=DIED partialoutage=DEGRADED degradedperformance=DEGRADED ' +
    'notresponding=DOWN unavailable=DOWN missing=MISSING timedout=TIMEOUT actionrequired=ACTION ' +
    'broken bounced severe deny=DENIED lost',
  weak:
    'firing triggered alerting alert alarm=ALARM problem open=OPEN started=STARTED created=NEW ' +
    'active=ACTIVE activated=ACTIVE new=NEW high=HIGH update=UPDATE',
  other:
    'pending maintenance undermaintenance=MAINTENANCE grace=LATE stopped paused unknown ' +
    'nodata=NODATA insufficientdata=NODATA cancelled canceled=CANCELLED investigating identified ' +
    'monitoring skipped=SKIPPED completed=COMPLETED finished=FINISHED delivered inactive',
  quiet: 'info informational information notice debug low none',
}

/** The states by their words, normalized to lower-case letters. */
export const STATE_WORDS: ReadonlyMap<string, State> = new Map(
  Object.entries(VOCABULARY).flatMap(([kind, words]) =>
    words.split(' ').map((entry): [string, State] => {
      const [word = '', shown = word.toUpperCase()] = entry.split('=')
      return [word, { word: shown, kind: kind as StateKind }]
    }),
  ),
)

/** Words that may precede a state without changing it: `issue closed`, `device down`. */
export const NEUTRAL: ReadonlySet<string> = new Set('issue device'.split(' '))

/** States that keep their meaning after any word: `job.failed`, `connection_error`. */
export const UNAMBIGUOUS: ReadonlySet<string> = new Set(
  'down offline failed failure error recovery unreachable degraded outage'.split(' '),
)

/** The end of a problem, with the severity that it had or its noun: `ResolvedCritical`, `incident_closed`. */
const END = new RegExp(
  '^(?:(?:incident|alert|alarm|problem|monitor|check|case)[ _-]?(?=resolved|recovered|cleared|closed))?' +
    '(resolved|recovered|cleared|closed)' +
    '(?:[ _-]?(?:critical|error|warning|info|missingdata|nodata|item|incident|alert|alarm|issue))?$',
)
const NORMAL_AGAIN = new RegExp(
  '^(?:back|return(?:ed)?)[ _-]to[ _-]normal$' +
    '|^(?:down|warning|error|alarm|problem|unusual)[ _-]ended(?: \\((?:now: )?(?:up|ok)\\))?$',
)

/** A change from one state to another: `FIRING_TO_OK`. */
const CHANGE = /^(\p{L}{2,12})_to_(\p{L}{2,12})$/u
/** What is tested when a person tries an alert. Any other test, such as one of a disk, is an event. */
const TRIED =
  /^(?:webhook|alert|alarm|notification|message|e?mail|sms|push|connection|connectivity|integration|event)s?$/

/** Splits a name into words: `payment_failed`, `checkFailed`, `check.down`. */
export function tokensOf(name: string): string[] {
  return name
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter(word => word !== '')
}

/** Whether a word before a state adds nothing to it. */
export function isNeutral(word: string): boolean {
  return NEUTRAL.has(word)
}

/** Reads the value of a state field. `null` for a value that is not in the vocabulary. */
export function readState(value: string): State | null {
  if (value.length > 48) return null
  const text = value.toLowerCase()
  const changed = changedState(text)
  if (changed !== null) return changed
  const end = NORMAL_AGAIN.test(text) ? 'resolved' : END.exec(text)?.[1]
  const whole = STATE_WORDS.get((end ?? text).replace(/[^a-z]+/g, ''))
  if (whole !== undefined && !/\d/.test(text)) return whole
  const rank = /^\s*(sev(?:erity)?|p|priority)[ _-]?([0-5])\s*$/.exec(text)
  if (rank !== null) return { word: `${rank[1]?.startsWith('s') ? 'SEV' : 'P'}${rank[2]}`, kind: 'bad' }
  const words = text.split(/[^a-z]+/).filter(word => word !== '')
  if (words.includes('test')) {
    const [first = '', second = 'test'] = words
    const isTried = words.length <= 2 && (first === 'test' || (second === 'test' && TRIED.test(first)))
    return isTried ? { word: 'TEST', kind: 'test' } : null
  }
  // The last word may be a state after other words: `job.failed`, `issue closed`.
  const last = words.at(-1) ?? ''
  const state = STATE_WORDS.get(last)
  if (state === undefined || words.length > 4) return null
  if (UNAMBIGUOUS.has(last) || (/[.:]/.test(text) && !/\d/.test(text))) return state
  return !text.includes('-') && words.slice(0, -1).every(isNeutral) ? state : null
}

/** The later one of two states. A good one after one that was not means that the problem is over. */
function changedState(text: string): State | null {
  const [, first = '', last = ''] = CHANGE.exec(text) ?? []
  const before = STATE_WORDS.get(first)
  const after = STATE_WORDS.get(last)
  if (before === undefined || after === undefined) return null
  return after.kind === 'good' && before.kind !== 'good' ? { word: 'RESOLVED', kind: 'good' } : after
}

/** Reads the value of a field of a state, which may be several words: `PartiallyFailed`. */
export function readFieldState(value: string): State | null {
  if (value.length > 48) return null
  if (/^(?:failure|failed)_(?:with|on|due|in)_/i.test(value)) return readState('failed')
  return readState(value) ?? readState(value.replace(/(\p{Ll})(?=\p{Lu})/gu, '$1 '))
}

/** Chooses the state that a text begins with, by kind: test, good, bad, other, weak, quiet. */
export function chooseState(states: readonly State[]): State | null {
  for (const kind of ['test', 'good', 'bad', 'other', 'weak', 'quiet'] as const) {
    const found = states.find(state => state.kind === kind)
    if (found !== undefined) return found
  }
  return null
}
