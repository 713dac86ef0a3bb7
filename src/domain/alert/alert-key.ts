import type { Body } from '#domain/alert/body.ts'
import type { Report } from '#domain/alert/compose.ts'
import { objectsOf } from '#domain/alert/read/json-value.ts'
import { scalarOf } from '#domain/alert/read/scalar-of.ts'
import { cleanLine, mentions, wordsOf } from '#domain/alert/text/clean-text.ts'
import { HOSTS, words } from '#domain/alert/vocabulary/field-names.ts'
import { readState } from '#domain/alert/vocabulary/states.ts'

/** Fields with a sender's own key, which an alarm and its end share. */
const OWN_KEYS = words(
  'groupkey fingerprint dedupkey dedupkeyid incidentkey alias incidentid problemid monitorid checkid',
)
/** Objects whose `id` is such a key. */
const OWNERS = ['incident', 'monitor', 'check', 'data.incident', 'data.monitor'] as const
const KEY_LENGTH_MAX = 200
/** Words of a subject that do not say what it is about. */
const FILLERS = new Set(
  words('the a an is are was has been now back again connection to for on of alert ups from'),
)
/** `nas is down`, `Connection to nas is up`: the thing of a sentence. */
const SENTENCE = /^(?:connection to )?(.{2,60}?) (?:is|are|was|has|have|went|came|did|does|cannot|failed)\b/i

/** What an alert is about. */
export interface AlertSubject {
  readonly key: string | null
  readonly subject: string | null
}

/** The key by which alerts about the same thing are found, and the thing as a person reads it. */
export function alertSubject(body: Body, report: Report | null): AlertSubject {
  const subject = thingOf(body, report)
  const own = ownKey(body)
  if (own !== '') return { key: `id:${own.slice(0, KEY_LENGTH_MAX)}`, subject: subject || null }
  const name = subject === '' ? '' : nameOf(`${subject} ${placeOf(body, subject)}`)
  return { key: name === '' ? null : `thing:${name.slice(0, KEY_LENGTH_MAX)}`, subject: subject || null }
}

function thingOf(body: Body, report: Report | null): string {
  if (report === null) return body.label(...HOSTS)
  if (report.subject !== '') return report.subject
  const [first = ''] = [report.reason].flat()
  return SENTENCE.exec(first)?.[1] ?? body.label(...HOSTS)
}

/** The machine of a check that many machines have. Empty: the subject names it. */
function placeOf(body: Body, subject: string): string {
  const place = body.label(...HOSTS) || body.match(/^[ \t]*Host(?: ?name)?: *(\S+)/im)
  return mentions(subject, place) ? '' : place
}

function ownKey(body: Body): string {
  const [alert] = objectsOf(body.at('alerts'))
  const found =
    body.find(...OWN_KEYS) ||
    OWNERS.map(owner => body.raw(`${owner}.id`)).find(id => id !== '') ||
    scalarOf(alert?.['fingerprint'])
  return cleanLine(found)
}

/** The words of a subject without those of a state: `nas` for `UPS nas is down`. */
function nameOf(subject: string): string {
  const all = wordsOf(subject).trim().split(' ')
  const kept = all.filter(word => !FILLERS.has(word) && readState(word) === null)
  return (kept.length > 0 ? kept : all).join(' ')
}
