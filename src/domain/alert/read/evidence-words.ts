import { tokensOf } from '#domain/alert/vocabulary/states.ts'

/* The words of field names by which `gatherEvidence` knows what a field says. */
function words(list: string): readonly string[] {
  return list.split(' ')
}

export const PAST = new Set(
  words(
    'previous prev old last from former before was prior earlier original initial downtime ' +
      'prec precedent anterior precedente vorige vorher',
  ),
)
/** `last_result` of a job is its latest state, if the object has no other. */
const LATEST = /^last_?(?:(?:run|job|backup|check|sync)_?(?:result|status|outcome)|result|outcome)$/i
const NAMES_READ_MAX = 64
export const STATES = new Set(
  words(
    'state status result health phase outcome conclusion condition verdict transition availability quality',
  ),
)
export const EVENTS = new Set(
  words(
    'alerttype eventtype eventname event eventaction action ' +
      'type current currentvalue newvalue new to alert ' +
      'triggertype messagetype notificationtype updatetype kind stage',
  ),
)
export const RANKS = new Set(
  words('severity level loglevel priority urgency impact criticality importance rank'),
)
export const RULES = new Set(words('name rule rulename alertname alertrule conditionname'))
export const LABELS = new Set(words('labels annotations tags config'))
/** Flags that say how it is, and what they say when they are false. */
export const GOOD: ReadonlyMap<string, string> = new Map([
  ['ok', 'failed'],
  ['success', 'failed'],
  ['successful', 'failed'],
  ['succeeded', 'failed'],
  ['passed', 'failed'],
  ['passing', 'failed'],
  ['healthy', 'unhealthy'],
  ['up', 'down'],
  ['alive', 'down'],
  ['online', 'offline'],
  ['reachable', 'unreachable'],
  ['available', 'unavailable'],
  ['connected', 'disconnected'],
])
/** Words of a name that mean something bad, wherever they stand in it: `disk_full`, `othersDown`. */
export const BAD = new Set(
  words(
    'error errors failed failing failures failure fault faults faulted faulty alarm alarms down degraded ' +
      'problem problems leak leaks leaking critical crit offline smoke unreachable full tamper tampered ' +
      'triggered open opened unresolved remaining remain remains missing lost broken dead died firing ' +
      'breach breached intrusion intruder burglary fire flood flooded flooding overheat overheated ' +
      'overheating stuck blocked corrupt corrupted violation violations outage outages infected danger ' +
      'crash crashed unhealthy unavailable disconnected abnormal panic emergency disaster stopped ' +
      'affected exceeded expired raised reopened still',
  ),
)
/** Words that are bad in a flag, but not in a count: `battery_low`. */
export const BAD_FLAG = new Set(words('low high bad wrong warning dirty stale detected alert pending'))
/** Words of names whose number is a time, a limit or a name: `down_since`, `critical_threshold`. */
export const NO_COUNT = new Set(
  words(
    'since at time timestamp date duration seconds minutes ms id ids url threshold limit max min ' +
      'percent timeout policy rule interval after for actions datapoints',
  ),
)
/** First words of names of settings: `saveErrorResponse`. */
export const SETTINGS = new Set(words('save notify enable ignore retry allow send include show use treat'))
export const OVER = new Set(words('resolved recovered closed cleared'))
/** Fields with the text of an error. */
export const ERRORS = new Set(
  words('error errors failed failures failure fault faults stderr exception down offline'),
)

/** The word of a name that says what it holds: `state` for `NewStateValue`. */
export function lastOf(tokens: readonly string[]): string {
  // `alertstatus`
  const last = (tokens.at(-1) ?? '').replace(/^[a-z]{2,12}(?=(?:status|state)$)/, '')
  const before = tokens.at(-2) ?? last
  if (last === 'value') return before
  // `statusName`, `StatusString`
  return /^(?:name|text|string|label)$/.test(last) && STATES.has(before) ? before : last
}

/** A former state in a name without signs between its words: `laststatus`, `LASTSERVICESTATE`. */
const FORMER =
  /^(?:last|old|prev|previous|former)(?:host|service)?(?:hard|soft)?(?:short)?(?:state|status|value)$/

/** Whether a name says that it holds a former value. */
export function isPast(name: string): boolean {
  return name.length <= 64 && tokensOf(name).some(token => PAST.has(token) || FORMER.test(token))
}

/** Whether a name holds the latest state of an object with these names, rather than a former one. */
export function isLatest(name: string, names: readonly string[]): boolean {
  const isState = (one: string) => STATES.has(tokensOf(one.slice(-64)).at(-1) ?? '')
  return LATEST.test(name) && !names.slice(0, NAMES_READ_MAX).some(one => one !== name && isState(one))
}
