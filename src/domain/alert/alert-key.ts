import type { Body } from '#domain/alert/body.ts'
import type { Report } from '#domain/alert/compose.ts'
import { ownKey } from '#domain/alert/own-key.ts'
import { fieldKey } from '#domain/alert/read/find-fields.ts'
import { hashText } from '#domain/alert/read/hash-text.ts'
import type { ListedField } from '#domain/alert/read/list-fields.ts'
import { cleanLine, mentions, wordsOf } from '#domain/alert/text/clean-text.ts'
import { HOSTS, words } from '#domain/alert/vocabulary/field-names.ts'
import { readState } from '#domain/alert/vocabulary/states.ts'

const KEY_LENGTH_MAX = 200
const HASH_LENGTH = 8
/** Longest value that is a part of a key. */
const PART_LENGTH_MAX = 80
/** Words of a subject that do not say what it is about. */
const FORMER_FILLERS = new Set(
  words('the a an is are was has been now back again connection to for on of alert ups from ended'),
)
const FILLERS = new Set([...FORMER_FILLERS, ...words('with returned restored established lost')])
/** `nas is down`, `Connection to nas is up`: the thing of a sentence. */
const SENTENCE = /^(?:connection to )?(.{2,60}?) (?:is|are|was|has|have|went|came|did|does|cannot|failed)\b/i
/** A line `DOWN nas: no answer`: a state, the thing, and the reason. Without a reason only a short line. */
const STATE_LINE = /^(\S{2,20}) (?:(.{1,80}?) ?:(?: |$)|(\S+(?: \S+){0,2}) ?$)/
/** The notes of NUT's upsmon. That a UPS cannot be reached is another problem than that its power is gone. */
const UPS_NOTE = /^(?:(?:ONLINE|ONBATT|LOWBATT)|(COMMOK|COMMBAD|NOCOMM))\b.*?\bUPS (\S+)/
/** Zabbix's own default words as fields. What stands in parentheses changes. */
const ZABBIX_NAME = /^(?:problem|resolved|updated problem): ([^(]+)/i
const ZABBIX_HOST = /^Host ([^\s:,]+)[:,]/
const SEVERITY = new RegExp(
  '^(?:severity|priority|level)?[\\W_]*(?:not classified|info(?:rmation)?|average|high|medium|low|' +
    'minor|major|critical|warning|error|fatal|emergency|disaster)\\W*$',
  'i',
)
/** The part with which a reason begins: a disk or a mount. */
const FIRST_PART = /^(?:disk )?(\/\S*)/i
/** Fields that name the rule that was broken, or the kind of the problem. */
const RULES = new RegExp(
  '^(?:alert|alarm|rule|trigger|policy|condition|problem|check)(?:rule)?name$' +
    '|^alarmtype$|^(?:datapoint|metric)(?:name)?$',
)
const NUMBERS = /^(?:rule|signature|sensor|zone)(?:id|uid|number|no|nr)$/
/** Fields that name a part of a thing: a zone, a port, a disk. */
const PARTS =
  /^(?:zone|loop|port|slot|bay|channel|circuit|outlet|partition|interface|detector|mountpoint)(?:name)?$/
/** A certificate that will expire is another problem than a site that is down. */
const EXPIRY = new RegExp(
  '\\b(?:certificate|domain|ssl|tls)\\b.{0,120}\\bexpir(?:es?|ing|y)\\b' +
    '|\\bexpir(?:es?|ing|y)\\b.{0,40}\\bcertificate\\b',
  'i',
)

/** What an alert is about. */
export interface AlertSubject {
  readonly key: string | null
  /** The key that the release before gave it. Absent: the same, or none. */
  readonly formerKey?: string
  readonly subject: string | null
  readonly detail: string
}

/** The key by which alerts about the same thing are found, and the thing as a person reads it. */
export function alertSubject(
  body: Body,
  report: Report | null,
  fields: readonly ListedField[],
): AlertSubject {
  const subject = thingOf(body, report)
  const own = ownKey(body, fields)
  const about = report?.about ?? ''
  const others = partsIn(fields, subject !== '')
  // Without a subject the reason names the problem.
  const [told = ''] = report !== null && report.subject === '' ? [report.reason].flat() : []
  const detail =
    [placeOf(body, subject), about, ...others, told].find(one => one !== '' && !mentions(subject, one)) ?? ''
  if (own !== null) {
    const place = own.isRule === true ? placeOf(body, own.id) : ''
    const kind = own.isWatched === true && isExpiry(report) ? 'expiry' : ''
    const id = [own.id, place, kind].filter(part => part !== '').join(' ')
    return { key: `id:${bounded(id)}`, subject: subject || null, detail }
  }
  const stated = report?.thing ?? ''
  if (stated !== '') return { key: `thing:${bounded(stated)}`, subject: subject || null, detail }
  const [reason = ''] = [report?.reason ?? ''].flat()
  const known = thingOfWords(body, { subject, reason })
  const first = known === '' ? [subject, about] : [known]
  const more = [placeOf(body, subject), ...others]
  const key = keyOf({ first, more: [...more, FIRST_PART.exec(reason)?.[1] ?? ''] }, report, FILLERS)
  // As the release before read the same words.
  const formerKey = keyOf({ first: [subject, about], more }, report, FORMER_FILLERS)
  const isOther = formerKey !== null && formerKey !== key
  return { key, ...(isOther && { formerKey }), subject: subject || null, detail }
}

/** `first`: always parts of it; `more`: those of them that the parts before do not say. */
interface KeyWords {
  readonly first: readonly string[]
  readonly more: readonly string[]
}

function keyOf(
  { first, more }: KeyWords,
  report: Report | null,
  fillers: ReadonlySet<string>,
): string | null {
  const parts = first.filter(part => part !== '')
  for (const part of more) if (part !== '' && !mentions(parts.join(' '), part)) parts.push(part)
  if (parts.length === 0) return null
  if (report?.format === 'uptime-monitor' && isExpiry(report)) parts.push('expiry')
  const name = nameOf(parts.join(' '), fillers)
  return name === '' ? null : `thing:${bounded(name)}`
}

function bounded(text: string): string {
  if (text.length <= KEY_LENGTH_MAX) return text
  return text.slice(0, KEY_LENGTH_MAX - HASH_LENGTH) + hashText(text)
}

function thingOf(body: Body, report: Report | null): string {
  if (report === null) return body.label(...HOSTS)
  if (report.subject !== '' && !SEVERITY.test(report.subject)) return report.subject
  const [first = ''] = [report.reason].flat()
  return SENTENCE.exec(first)?.[1] ?? body.label(...HOSTS)
}

/** The thing of words that well-known senders post by default, and of a line that begins with a state. */
function thingOfWords(
  body: Body,
  { subject, reason }: { readonly subject: string; readonly reason: string },
): string {
  const name = ZABBIX_NAME.exec(body.label('subject'))?.[1]
  const host = ZABBIX_HOST.exec(body.label('message'))?.[1]
  if (name !== undefined && host !== undefined) return `${name} ${host}`
  const ups = UPS_NOTE.exec(reason)
  if (ups !== null) return `${ups[2]} ${ups[1] === undefined ? 'supply' : 'reach'}`
  const line = subject === '' ? STATE_LINE.exec(reason) : null
  return line !== null && readState(line[1] ?? '') !== null ? (line[2] ?? line[3] ?? '').trim() : ''
}

function isExpiry(report: Report | null): boolean {
  const reason = [report?.reason ?? ''].flat().join(' ').slice(0, 1000)
  return EXPIRY.test(reason) || (report?.state?.kind === 'good' && /\b(?:certificate|ssl)\b/i.test(reason))
}

/** The machine of a check that many machines have. Empty: the subject names it. */
function placeOf(body: Body, subject: string): string {
  const place = body.label(...HOSTS) || body.match(/^[ \t]*Host(?: ?name)?: *(\S+)/im)
  return mentions(subject, place) ? '' : place
}

/** The rule that was broken, and the part of the thing. A number alone is a measured value. */
function partsIn(fields: readonly ListedField[], isNamed: boolean): readonly string[] {
  return fields.flatMap(({ keys, value }) => {
    const name = fieldKey(keys.at(-1) ?? '')
    const full = name === 'id' || name === 'name' ? `${fieldKey(keys.at(-2) ?? '')}${name}` : name
    const isPart = PARTS.test(full)
    const hasNumber = isPart || NUMBERS.test(full)
    if (!(hasNumber || RULES.test(full)) || keys.some(key => /^\d+$/.test(key))) return []
    const text = cleanLine(value)
    // A channel without a number is one of a chat.
    const isNumber = /^\d+$/.test(text)
    const isOther = isNumber ? !hasNumber : /^channel/.test(full) && !/\d/.test(text)
    if (text === '' || text.length > PART_LENGTH_MAX || isOther || (!isNamed && !isPart)) return []
    return isNumber ? [`${full} ${text}`] : [text]
  })
}

/** The words of a subject without those of a state: `nas` for `UPS nas is down`. */
function nameOf(subject: string, fillers: ReadonlySet<string>): string {
  const all = wordsOf(subject).trim().split(' ')
  const kept = all.filter(word => !fillers.has(word) && !isState(word))
  return (kept.length > 0 ? kept : all).join(' ')
}

/** `ping` is the name of a check. */
function isState(word: string): boolean {
  const state = readState(word)
  return state !== null && state.kind !== 'test'
}
