/*
 * Words that a text about a recovery should not have. In doubt a word belongs into these lists: then the
 * alert is sent, although it may only say that all is well. `*` stands for any letters, `_` for a space.
 */
const FAULT_WORDS =
  'down offline unreachable unavailable outage fail* error* errno crit critical* fatal emerg* ' +
  'alarm* panic* disaster degraded unhealthy expire expires expired expiring timeout time-out ' +
  'timed_out missed missing crash* dead died dying killed lost loss broken corrupt* fault* defect* ' +
  'denied denies refused rejected unable abort* terminated cannot not never nobody nothing none_of ' +
  'still but except* however partial* only mostly incomplete until unless will_be should_be ' +
  'giving_up gives_up gave_up on_battery low_battery battery_low battery_mode replac* overheat* ' +
  'too_high too_low too_warm too_hot too_cold too_many too_long too_slow exceed* full stale stuck ' +
  'blocked leak* smoke flood* intru* attack* breach* virus malware ransom* unlocked reopened re- ' +
  'opened escalat* flap* unknown invalid implausible wrong mismatch* abnormal* nok inactive stopped ' +
  'halted suspended disconnect* dis-connect* unsuccessful* unresolved nodata rebuil* firing ' +
  'problem* reset dropped dropping trouble no_answer no_response no_reply ' +
  // German, French, Spanish, Italian, Dutch.
  'fehl* ausfall ausgefallen defekt gestört gestoert störung stoerung nicht kein* verloren échec ' +
  'échou* erreur panne fallo falló errore mislukt fout storing'
const FAULT = new RegExp(
  [
    `(?<!\\p{L})(?:${alternativesOf(FAULT_WORDS)})(?!\\p{L})`,
    '\\b\\w+(?:Error|Exception)\\b',
    "\\b\\w+n[’']t\\b",
    '\\bno (?!longer|further|new|action)\\w+\\b',
    // The missing disk of an array: `[U_]`.
    '\\[(?=[U_]*_)[U_]+\\]',
    '\\u{1f534}|\\u274c|\\u{1f6a8}|\\u26d4|\\u{1f6d1}|:x:|:red_circle:|:rotating_light:',
    '\\?(?:\\s|$)',
  ].join('|'),
  'iu',
)

const FAULTS = 'errors?|fail(?:ed|ures?)|faults?|problems?|alarms?|alerts?|warnings?|issues?|lost|loss'
const STATES =
  'ok|up|down|online|offline|crit(?:ical)?|warn(?:ing)?|error|failed|failing|unknown|alert(?:ing)?|alarm|' +
  'normal|unhealthy|healthy|degraded|problem|fault(?:ed)?|unreachable|firing|missing|unavailable'
/** What is not so, or no longer so: `no errors`, `was down for 12 min`, `CRITICAL -> OK`. */
const NOT_NOW = new RegExp(
  [
    `\\b(?:no|0|zero|without(?: any)?) (?:new |further |known )?(?:${FAULTS})\\b`,
    `\\b(?:${FAULTS}|${STATES})["']?\\s*[:=]\\s*(?:0+(?:\\.0+)?%?|none|no)(?![\\d.])`,
    '\\b(?:lost|loss) 0(?:\\.0+)? ?%|\\b0(?:\\.0+)? ?% (?:packet )?loss\\b|\\bno packet loss\\b',
    `\\b(?:no longer|(?:was|were|had been)(?: \\w+){0,2}) (?:${STATES})\\b`,
    '\\balarm was raised\\b|\\bproblem is over\\b|\\brecovered from [^.,;\\n]*',
    `\\b(?:${STATES}) (?:(?:has |is )?ended|` +
      '(?:has |have |is |got )(?:been )?(?:now )?(?:recovered|resolved))\\b',
    '\\bdown ?time\\b|\\bafter (?:being )?(?:down|offline|unavailable) (?:for )?\\d',
    `\\b(?:from )?["']?(?:${STATES})["']?\\s*(?:->|=>|→|➜|\\bto\\b)\\s*(?=["']?(?:${STATES})\\b)`,
  ].join('|'),
  'gi',
)
/** A quantity that rises is no recovery: `load is up: 48`. A span or an address after `up` is none. */
const RISE = new RegExp(
  '\\b(?:is|are|now|again|usage|load) (?:now )?up(?: again)?(?:[:,]| to| by| at)? ?\\d+(?:\\.\\d+)?' +
    '(?![\\d.])(?! ?(?:of|/|hours?|h|d|days?|min|ms|s)\\b)|\\bup (?:to|by|and down)\\b|\\bis up for \\p{L}',
  'iu',
)
const SHARE = /\b(\d{1,6}) ?(?:of|out of|\/) ?(\d{1,6})\b/g

/** What takes back that a problem is over, whatever else the text says about the problem. */
const RELAPSE_WORDS =
  'still unresolved un-resolved reopen* re-open* flapping giving_up gives_up remain* partial* partly ' +
  'in_part never except apart_from save_for all_but but firing: failing: opened: raised: triggered:'
const RELAPSE = new RegExp(
  [
    `\\b(?:${alternativesOf(RELAPSE_WORDS)})(?!\\w)`,
    '\\b(?:gave up|mistake|without a fix|with errors?)\\b',
    '\\bnot (?:yet |really )?(?:resolved|recovered|closed|cleared|over|fixed)\\b',
    '(?<!\\b(?:up|online|ok|normal|reachable|available|working|back|healthy)) again\\b',
    '\\b(?:firing|problems?|open|down|critical)\\b:? [1-9]',
    '\\b[1-9]\\d*(?: new)? (?:firing|problems?|open|critical)\\b',
    '\\[(?:firing|down|critical|problem|alerting)\\b',
  ].join('|'),
  'i',
)

function alternativesOf(words: string): string {
  return words.replaceAll('*', '\\w*').split(' ').join('|').replaceAll('_', ' ')
}

/** Whether a line has a word that a recovery should not have. */
export function hasFault(line: string): boolean {
  // Most lines tell of no fault at all, and what is not so costs most to find.
  return tellsFault(line) && tellsFault(line.replace(NOT_NOW, ' '))
}

function tellsFault(text: string): boolean {
  return FAULT.test(text) || RISE.test(text) || hasMissingShare(text)
}

/** Words that a further sentence or line should not have when a text begins with the end of a problem. */
const FURTHER_WORDS =
  'opened raised triggered alerting active pending major minor warn* high burglar* tamper* fire ' +
  'missing failing new remain* partly in_part apart_from save_for all_but false no left on_battery ' +
  'reopened critical emergency problem'
const FURTHER = new RegExp(`(?<!\\p{L})(?:${alternativesOf(FURTHER_WORDS)})(?!\\p{L})`, 'iu')
/** What takes back a word that a problem is over, right after that word: `Recovery: failed`. */
const TAKEN_BACK = new RegExp(
  '^[\\s:=("\'-]*(?:no|not|none|never|false|failed|failing|fails|pending|unknown|0|partial\\w*|partly|' +
    'in part|n/a)(?![\\p{L}\\d]|\\.\\d)',
  'iu',
)
/** The words of the end of a problem. */
const END = /\b(?:resolved?|recover(?:ed|y)|cleared|clear|closed?|restored|back to normal)\b[\])]*/i
/** Where a sentence ends and another may tell of something else. */
const SENTENCE_END = /[.!?;]+(?:\s+|$)|,\s+|\s(?:-|\/|\u2013|\u2014|\|)\s/u
/** `Burglary: zone 4` tells of something else. How long it took does not. */
const LABEL =
  /^(?!(?:duration|down ?time|time|since|after|host|server|reason|link|url)\b)\p{L}[\p{L} ]{1,20}:\s/iu

/**
 * Whether a text whose head says that a problem is over says nothing else. The rest of the sentence may
 * repeat the problem: `RESOLVED: disk full on nas`. Nothing else may tell of a problem.
 */
export function isOnlyOver(line: string): boolean {
  const end = END.exec(line)
  if (end === null) return !hasFault(line) && !FURTHER.test(line.replace(NOT_NOW, ' '))
  const rest = line.slice(end.index + end[0].length)
  if (hasRelapse(line) || TAKEN_BACK.test(rest) || hasMissingShare(line)) return false
  const before = line.slice(0, end.index)
  if (/\b(?:not|never|none|no|nothing|nobody)\b/i.test(before)) return false
  if (before.split(SENTENCE_END).slice(0, -1).some(hasFault)) return false
  const [, ...further] = rest.replace(/^[\s:=-]+/, '').split(SENTENCE_END)
  return further.every(
    one => !hasFault(one) && !FURTHER.test(one.replace(NOT_NOW, ' ')) && !LABEL.test(one.trim()),
  )
}

/** Whether a line takes back that something is over. */
export function hasRelapse(line: string): boolean {
  return RELAPSE.test(line)
}

/** `2 of 3`: one is missing. */
function hasMissingShare(line: string): boolean {
  for (const [, part, whole] of line.matchAll(SHARE)) if (Number(part) < Number(whole)) return true
  return false
}
