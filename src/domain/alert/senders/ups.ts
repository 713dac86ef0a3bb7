import type { Body } from '#domain/alert/body.ts'
import type { Sender } from '#domain/alert/sender.ts'
import { linesOf } from '#domain/alert/text/clean-text.ts'
import { readState, type State } from '#domain/alert/vocabulary/states.ts'

const ON_BATTERY: State = { word: 'ON BATTERY', kind: 'bad', severity: 'warning' }
const LOW: State = { word: 'LOW BATTERY', kind: 'bad', severity: 'critical' }
const SHUTDOWN: State = { word: 'SHUTDOWN', kind: 'bad', severity: 'critical' }
const REPLACE: State = { word: 'REPLACE BATTERY', kind: 'bad', severity: 'warning' }
const LOST: State = { word: 'COMM LOST', kind: 'bad', severity: 'warning' }
const ON_LINE: State = { word: 'POWER BACK', kind: 'good' }
const FOUND: State = { word: 'COMM RESTORED', kind: 'good' }

/** The codes of NUT and apcupsd for an event or a status, and their sentences for it. */
const STATES: readonly (readonly [codes: string, sentence: RegExp, state: State])[] = [
  [
    'FSD SHUTDOWN DOSHUTDOWN',
    /\b(?:forced shutdown|shutdown proceeding|UPSD shutting down|shutdown in|exhausted, shutting down)\b/i,
    SHUTDOWN,
  ],
  ['LOWBATT LB FAILING', /\bbattery (?:is low|power exhausted|charge below)|\blow battery\b/i, LOW],
  ['REPLBATT REPLACEBATT RB CHANGEME', /\bbattery needs\b|\breplace(?:d)? battery\b/i, REPLACE],
  ['NOCOMM COMMBAD COMMLOST COMMFAILURE', /\bis unavailable\b|\bcommunications?\b.*\blost\b/i, LOST],
  ['COMMOK', /\bcommunications?\b.*\b(?:restored|established)\b/i, FOUND],
  [
    'ONLINE OL OFFBATTERY MAINSBACK',
    /\bon line power\b|\bpower (?:has returned|is back|restored)\b|\brunning on mains\b/i,
    ON_LINE,
  ],
  [
    'ONBATT ONBATTERY OB POWEROUT',
    /\bon battery\b|\bpower failure\b|\bpower loss\b|\bUPS batteries\b/i,
    ON_BATTERY,
  ],
]
/** A line of `apcaccess` or `upsc`. */
const KEY_LINE = /^[\w.]+(?: \w+)? *: /
const NAMES = ['upsname', 'ups']
const CODES = ['event', 'notifytype', 'upsstatus', 'status', 'state']

/** A UPS (NUT, apcupsd): fields with its name and a code, a status in `key: value` lines, or a sentence. */
export const ups: Sender = {
  format: 'generic',
  matches: body => stateOf(body) !== null && ![upsCard, powerPanel].some(other => other.matches(body)),
  // A sentence already says the state.
  state: [body => (isSentence(body) ? withoutWord(stateOf(body)) : stateOf(body))],
  subject: [body => (isSentence(body) ? body.title : upsOf(body) || `UPS ${listedName(body)}`.trim())],
  reason: [
    body => (isSentence(body) ? linesOf(body.message).filter(line => !KEY_LINE.test(line)) : ''),
    charge,
  ],
  extras: [charge, runtime],
}

const POWERPANEL = /^(?:Subject: )?PowerPanel\b/m

/** A mail of PowerPanel: the computer, what happened, and how long the battery lasts. */
export const powerPanel: Sender = {
  format: 'generic',
  matches: body => POWERPANEL.test(body.text) && /^Event: /m.test(body.text),
  state: [
    body => (/\brestored\b/i.test(body.match(/^Event: ([^\n]+)/m)) ? readState('restored') : null),
    body => readState(body.match(/^Severity: (\w+)/m)),
  ],
  subject: [body => body.match(/^Device: (\S+)/m) || 'UPS'],
  reason: [body => body.match(/^Event: ([^\n]+)/m)],
  extras: [body => body.match(/\b(Remaining runtime: \d+ min)/)],
}

const CARD_EVENT = /^(Critical|Warning|Informational|Severe) - (UPS: [^\n]+)$/m
const CARD_NAME = /^Name +: (\S[^\n]*)$/m

/** The mail of the network card in a UPS of APC: its name, and what happened. */
export const upsCard: Sender = {
  format: 'generic',
  matches: body => CARD_EVENT.test(body.text) && CARD_NAME.test(body.text),
  state: [body => readState(body.match(CARD_EVENT).replace('Severe', 'critical'))],
  subject: [body => body.match(CARD_NAME)],
  reason: [body => CARD_EVENT.exec(body.text)?.[2] ?? ''],
}

/** A code of NUT or apcupsd, and the problem that ends with the code for its end. */
export function readUpsCode(code: string): { readonly state: State; readonly problem: string } | null {
  const state = STATES.find(([names]) => names.split(' ').includes(code.toUpperCase()))?.[2]
  if (state === undefined) return null
  return {
    state,
    problem: state === LOST || state === FOUND ? 'reach' : state === REPLACE ? 'battery' : 'supply',
  }
}

/** The name of the UPS. NUT writes it as `ups@host`. */
function upsOf(body: Body): string {
  const name = body.find('name', 'device')
  return body.label(...NAMES) || (/^[\w-]+@[\w.-]+$/.test(name) ? name : '')
}

/** The name in a list of `key: value` lines: the one of the UPS, unless that is `ups`, or of the host. */
function listedName(body: Body): string {
  const own = body.match(/^UPSNAME *: *(?!ups\s)(\S+)/im) || body.match(/\bUPS ([\w-]+@[\w.-]+)/)
  return own || body.match(/^HOSTNAME *: *(\S+)/m)
}

function isSentence(body: Body): boolean {
  return upsOf(body) === '' && codeOf(body) === ''
}

function codeOf(body: Body): string {
  return body.find(...CODES) || listedCodes(body)
}

/** The status in a list of `key: value` lines. It may have several codes: `ONBATT LOWBATT`. */
function listedCodes(body: Body): string {
  return body.match(/^(?:ups\.status|STATUS) *: *(\w[\w ]*)/m)
}

function stateOf(body: Body): State | null {
  const codes = codeOf(body).toUpperCase().split(/\s+/)
  const isUps = upsOf(body) !== '' || /^(?:ups\.status|UPSNAME) *:/m.test(body.text)
  const coded = STATES.find(([names]) => isUps && codes.some(code => names.split(' ').includes(code)))
  const worded = STATES.find(([, sentence]) => /\bUPSD?\b/.test(body.text) && sentence.test(body.text))
  // apcupsd mails what happened in a sentence, above the status that the UPS has meanwhile.
  const isMail = listedCodes(body) !== '' && worded !== undefined
  return (isMail ? worded : (coded ?? worded))?.[2] ?? null
}

function withoutWord(state: State | null): State | null {
  return state === null ? null : { ...state, word: '' }
}

function charge(body: Body): string {
  const percent =
    body.find('battery', 'batterycharge', 'charge', 'bcharge') ||
    body.match(/^(?:battery\.charge|BCHARGE) *: *(\d[\d.]*)/m)
  return /^\d/.test(percent) ? `battery ${Number.parseFloat(percent)}%` : ''
}

function runtime(body: Body): string {
  const minutes = body.match(/^TIMELEFT *: *(\d[\d.]*) Min/m)
  const seconds = body.find('batteryruntime', 'runtime') || body.match(/^battery\.runtime *: *(\d+)/m)
  const left = minutes === '' ? Number(seconds) / 60 : Number(minutes)
  return left > 0 ? `${Math.floor(left)} min left` : ''
}
