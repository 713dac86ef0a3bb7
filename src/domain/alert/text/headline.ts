import { joinedLine } from '#domain/alert/text/cut-text.ts'
import { leadOfEnd } from '#domain/alert/text/lead-of-end.ts'
import { chooseState, readState, type State } from '#domain/alert/vocabulary/states.ts'

/** A line, split into its state and the rest. */
export interface Headline {
  readonly state: State | null
  /** True: the state stood before the text (`[DOWN] nas`) and was removed. False: it is in the sentence. */
  readonly stated: boolean
  readonly text: string
  /** How long the problem lasted, in the words of the text. Empty if the text does not say it. */
  readonly span: string
}

/** The place in a label such as `Triggered on {host:nas}`. */
const LABEL_PLACE = /^[\p{L} ]{2,20} on \{?([^{}]{2,60})\}?$/u
const BRACKETS = /^\s*[[(]([^[\]()]{1,60})[\])]\s*[:|-]?\s*/
const LEADING_WORD = /^([A-Za-z]{2,14})(:\d+)?(?:\s*(?:[:|]|--?(?=\s))\s*|\s+)(?=\S)/
/** A change of state before a text. What stands before an arrow is the past: `OK -> CRITICAL: disk`. */
const CHANGE = /^(?:([A-Za-z]{2,12}) ?(?:->|=>|\u2192) ?){1,4}([A-Za-z]{2,12})(?:\s*[:|,]\s*|\s+)(?=\S)/
const CHANGE_IN_WORDS =
  /^stat(?:e|us) (?:has )?changed from [a-z]{2,12} to ([a-z]{2,12})\b(?: ?[-:|])? (?=\S)/i
/** What check plugins print: the plugin's name, then the state. */
const PLUGIN_OUTPUT =
  /^(?!(?:Last|Old|Former) )[A-Z][A-Za-z0-9_-]{1,20} (OK|WARNING|CRITICAL|UNKNOWN)(?: ?:| -) +(?=\S)/
/** `DigitalOcean monitoring triggered: ` */
const BEGUN = new RegExp(
  '^(?:[\\w.-]{1,30} ){0,2}(?:monitoring|monitor|alert|alarm|check|incident|issue) ' +
    '(?:triggered|raised|opened|fired): (?=\\S)',
  'i',
)
/** The end of a problem and its duration before a text: `Resolved after 12m: `. */
const LEADING_RECOVERY = /^(?:(Resolved|Recovered|Closed) (?:in|after) ([^:]{1,30}): )/i

/**
 * Reads the state and the names before a sentence: `[name] [Down] reason`, `[FIRING:2] name`,
 * `Problem: name`, `CRITICAL - name`. A state word belongs to the sentence unless it is in capitals or
 * followed by `:`, `|` or `-`.
 */
export function readHeadline(line: string): Headline {
  const names: string[] = []
  let state: State | null = null
  let place = ''
  let rest = line
  for (let count = 0; count < 5; count += 1) {
    const inside = BRACKETS.exec(rest)
    if (inside === null) break
    const label = (inside[1] ?? '').trim()
    const read = readState(label.split(/[:,]| (?:on|for|in) /)[0] ?? '')
    // A line that begins with round brackets is prose, unless they hold a state.
    if (read === null && rest === line && !rest.startsWith('[')) break
    rest = rest.slice(inside[0].length)
    if (read !== null) {
      state ??= read
      place ||= placeIn(label)
    } else if (!/^https?:\/\//i.test(label)) names.push(label)
  }
  const named = names.join(' ')
  const body = joinedLine(names.length > 0 && rest !== '' ? `${named}: ${rest}` : named + rest)
  if (state !== null && body !== '') {
    const inner = readSentence(body)
    const bare = inner.stated ? inner.text : body
    const text = place === '' || bare.includes(place) ? bare : `${bare} on ${place}`
    const states = inner.stated && inner.state !== null ? [state, inner.state] : [state]
    return { state: chooseState(states), stated: true, text, span: inner.span }
  }
  if (body === '') return readSentence(line)
  const inner = readSentence(rest)
  return inner.stated ? { ...inner, text: [...names, inner.text].join(': ') } : readSentence(body)
}

/** The place in a label: `nas` for `Triggered on {host:nas}`. Empty: the label names none. */
function placeIn(label: string): string {
  const place = LABEL_PLACE.exec(label)?.[1] ?? ''
  return place.replace(/\b\w{1,20}:(?=[^\s,])/g, '').replace(/,(?=\S)/g, ', ')
}

/** Reads a line without brackets before it: `Problem: name`, `CRITICAL - name`, or a sentence. */
function readSentence(line: string): Headline {
  const over = LEADING_RECOVERY.exec(line)
  if (over !== null) {
    const [all, word = '', span = ''] = over
    return { state: readState(word), stated: true, text: line.slice(all.length), span }
  }
  const begun = BEGUN.exec(line)
  if (begun !== null)
    return { state: readState('triggered'), stated: true, text: line.slice(begun[0].length), span: '' }
  const lead = leadOfEnd(line)
  if (lead !== '')
    return { state: readState('resolved'), stated: true, text: line.slice(lead.length), span: '' }
  const [inWords = '', after = ''] = CHANGE_IN_WORDS.exec(line) ?? []
  const [change = inWords, , now = after] = CHANGE.exec(line) ?? []
  const next = readState(now)
  if (next !== null) return { state: next, stated: true, text: line.slice(change.length), span: '' }
  const plugin = PLUGIN_OUTPUT.exec(line)
  if (plugin !== null) {
    return { state: readState(plugin[1] ?? ''), stated: true, text: line.slice(plugin[0].length), span: '' }
  }
  const [label = '', word = ''] = LEADING_WORD.exec(line) ?? []
  // What an unknown word follows by an arrow is the past: `OK -> CHYBA`.
  // `CRITICALs: /var is 98.2`
  const one = /^[A-Z]{4,}s$/.test(word) ? word.slice(0, -1) : word
  const state = /^(?:->|=>|\u2192)/.test(line.slice(label.length)) ? null : readState(one)
  // As the first word, "ping" names a check more often than a test.
  if (state !== null && state.kind !== 'quiet' && !/^ping$/i.test(word)) {
    const text = line.slice(label.length)
    const hasSign = /[:|-]\s*$/.test(label) || /^\[[^[\]]{1,40}\] - /.test(text)
    const isInCapitals = word === word.toUpperCase()
    if (hasSign || isInCapitals) return { state, stated: true, text, span: '' }
  }
  return { state: stateInSentence(line), stated: false, text: line, span: '' }
}

/** Sentences that report a state, and the word of that state. The first match counts. */
const SENTENCES: readonly (readonly [expression: RegExp, word: string])[] = [
  [/\btest(?:ing)? (?:notification|alert|message|event|incident|e-?mail|push|sms|webhook)s?\b/i, 'test'],
  [/\b(?:notification|alert|webhook) test\b|\bthis is (?:only )?a test\b|\btesting$/i, 'test'],
  [/^test(?:ing)?[.! ]*$|\btest[_ -]?alert\b|\(test\)/i, 'test'],
  [/\b(?:has|have) been cleared\b/i, 'clear'],
  [
    /\b(?:is|are|was|went|gone|going|now|has been|been marked) (?:currently |now |marked )?(?:as )?down\b/i,
    'down',
  ],
  [/\b(?:is|are|went|gone|now|became) (?:currently |now )?offline\b/i, 'offline'],
  [/\b(?:is|are|went|gone|now|became) (?:currently |now )?unreachable\b/i, 'unreachable'],
  [/\brecovered\b/i, 'recovered'],
  [/\b(?:is|are|back|now|came|gone|again) (?:now |back )?up\b(?! ?[\d+]| to\b| by\b)/i, 'up'],
  [/\b(?:is|are|back|now|came|again) (?:now |back )?(?:online|reachable|operational)\b/i, 'up'],
  [/\b(?:has|have|was|been|is|are) (?:been )?(?:now )?(?:resolved|recovered|restored)\b/i, 'resolved'],
  [/\b(?:back|returned) to normal\b/i, 'resolved'],
  [/\b(?:down|warning|error|alarm|alert|outage|problem|incident|fault) (?:has |is )?ended\b/i, 'resolved'],
  [/\b(?:has|have) been triggered\b/i, 'triggered'],
  [
    /\b[1-9]\d* failed\b|\b(?:has|have) failed\b|^[\w-]{2,20}(?: [\w-]{2,20})? failed\b|\bfailed[.!]*$/i,
    'failed',
  ],
  [/\b(?:is|has) (?:now |been )?degraded\b|\b(?:state|status) is degraded\b/i, 'degraded'],
  [/\berrors? (?:\([^()]{1,40}\) )?(?:detected|occurred|found)\b/i, 'error'],
  [/\b(?:certificate|domain|licen[cs]e|token)\b.{0,80}(?<!\bbe )\bexpired\b|\bhas expired\b/i, 'expired'],
  [/\b(?:will expire|will be expired in|is about to expire|expires? (?:in|soon|on)|expiring)\b/i, 'warn'],
]

/** `No trunks are operational`, `not all disks are online`. */
const NONE_IS_UP = new RegExp(
  '\\b(?:no|none|neither|not (?:all|every|any)|only|few)\\b[^.,;:]{0,60} (?:is|are) (?:\\w+ )?' +
    '(?:up|online|reachable|operational)\\b',
  'i',
)

/** `Has not returned to normal`, `will be back to normal`. */
const NOT_NORMAL = new RegExp(
  "(?:\\b(?:not|never|until|when|once|if|will|should|expected|cannot)|n't)\\b[^.;]{0,40} " +
    '(?:back|return(?:ed)?) to normal\\b',
  'i',
)

/** `No jobs have failed`, `none of the disks is down`. */
const NONE_IS_BAD = new RegExp(
  '\\b(?:no (?:\\w+ ){1,4}(?:have|are|were)|none of [^.,;:]{1,60} (?:has|have|is|are|was|were)) (?:\\w+ )?' +
    '(?:failed|down|offline|unreachable|degraded|expired)\\b',
  'i',
)

/** A state in capitals at the end: `web1:disk CRITICAL (RED)`. */
const SHOUTED = new RegExp(
  '[\\s:-](CRITICAL|WARNING|DOWN|FAILED|ERROR|OFFLINE|DEGRADED|UNREACHABLE|EXPIRED)' +
    '(?: \\([A-Z ]{2,12}\\))?[.!]{0,3}$',
)

/** The state that a sentence reports ("nas is down"). Null: it reports none, or its words are ambiguous. */
export function stateInSentence(line: string): State | null {
  if (/\b(?:0|not|never|no|none|if) failed\b|\bfailed over\b|\b(?:no|0) errors?\b/i.test(line)) return null
  if (/\b(?:not|no longer|never|if|when) (?:\w+ )?(?:down|offline|up|online)\b/i.test(line)) return null
  if (NONE_IS_UP.test(line) || NONE_IS_BAD.test(line) || NOT_NORMAL.test(line)) return null
  const present = line.replace(/\b(?:was|were) (?:\w+ )?(?:down|offline|up|online)\b/gi, ' ')
  for (const [expression, word] of SENTENCES) if (expression.test(present)) return readState(word)
  return readState(SHOUTED.exec(present)?.[1] ?? '')
}

const EMOJI: readonly (readonly [emoji: RegExp, word: string])[] = [
  [/^[\s[]*(?:🔴|❌|🚨|🔥|⛔|🛑|💥|‼|❗|🆘|🟥)|(?:🔴|❌|🚨|⛔|🛑|🟥)\ufe0f?\s*$/u, 'alert'],
  [/^[\s[]*(?:⚠|🟠|🟡|🔶|🟧|🟨)|(?:⚠|🟠|🟡)\ufe0f?\s*$/u, 'warn'],
  [/^[\s[]*(?:✅|🟢|✔|👍|🆗|🟩)|(?:✅|🟢|✔)\ufe0f?\s*$/u, 'ok'],
]

/** The state that an emoji at the start or end of a line shows. Pass the line before emoji are removed. */
export function stateOfEmoji(rawLine: string): State | null {
  const line = rawLine.length > 400 ? rawLine.slice(0, 400) : rawLine
  for (const [emoji, word] of EMOJI) if (emoji.test(line)) return readState(word)
  return null
}
