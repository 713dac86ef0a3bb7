import { type Body, oncePerBody } from '#domain/alert/body.ts'
import type { Sender } from '#domain/alert/sender.ts'
import { linesOf } from '#domain/alert/text/clean-text.ts'
import { readHeadline, stateInSentence } from '#domain/alert/text/headline.ts'
import { joinWords } from '#domain/alert/text/join-words.ts'
import { readState, type State } from '#domain/alert/vocabulary/states.ts'
import { wordTable } from '#domain/alert/vocabulary/word-table.ts'

/** `Volume 1 on nas is low on space`: the part of a NAS that a sentence is about. */
const PART = /^(?:The )?(.{2,60}?)(?: on \S+)? (?:is|are|was|has|have|returned|overheated|in|usage)\b/i
/** Words of any other sentence that say which problem it is. A date may follow. */
const BEGINNING_WORDS = 8
/** What may be wrong with a part, by the words for it. Anything else is its health. */
const ASPECTS: readonly (readonly [string, RegExp])[] = [
  ['temperature', /\b(?:hot|overheated|temperature)\b/i],
  ['space', /\b(?:space|capacity|usage|utilization|full)\b/i],
]

/** The part of a NAS and what is wrong with it, in words that the end of the problem repeats. */
function problemOf(sentence: string): string {
  const aspect = ASPECTS.find(([, word]) => word.test(sentence))?.[0] ?? ''
  const start = sentence.split(/[^\p{L}\p{N}]+/u, BEGINNING_WORDS).join(' ')
  return joinWords(PART.exec(sentence)?.[1] ?? start, aspect)
}

/** Synology's own webhook: `text`, with the machine and the time in `prefix`. */
export const synology: Sender = {
  format: 'generic',
  matches: body => body.has('text') && /^[^|]+\| ?\d{4}-/.test(body.raw('prefix')),
  state: ['severity', 'level'],
  subject: [body => body.line('prefix').split('|')[0]?.trim() ?? ''],
  about: [body => problemOf(body.line('text'))],
  reason: ['text'],
}

const SYNOLOGY = /^(?:Subject: )?\[([^\]\n]+)\] (\S[^\n]*)\n/
/** What the owner can do, which comes after what happened. */
const ADVICE = / Please [^.]*\.(?=\s|$)/g
const GREETING = /^Dear user[,.]?\s*/im
const SIGNATURE = /^(?:From \S+|Sincerely,[\s\S]*)$/m

/** A mail of Synology's DSM: the NAS, and the first paragraph, which says more than the subject. */
export const synologyMail: Sender = {
  format: 'generic',
  matches: body => SYNOLOGY.test(body.text) && paragraphOf(body) !== '' && !hyperBackup.matches(body),
  state: [
    body => readHeadline(SYNOLOGY.exec(body.text)?.[2] ?? '').state,
    body => stateInSentence(paragraphOf(body)),
  ],
  subject: [body => body.match(SYNOLOGY)],
  about: [body => problemOf(linesOf(paragraphOf(body))[0] ?? '')],
  reason: [body => linesOf(paragraphOf(body).replace(ADVICE, ''))],
}

/** The paragraph after the greeting. Empty without greeting or signature. */
function paragraphOf({ text }: Body): string {
  const [, after] = text.split(GREETING)
  if (after === undefined || !SIGNATURE.test(after)) return ''
  return (
    after
      .replace(SIGNATURE, '')
      .trim()
      .split(/\n\s*\n/)[0] ?? ''
  )
}

const BACKUP_TASK = /^Backup Task: *([^\n]+)$/m
const BACKUP_RESULT =
  /^(?:Subject: )?\[(\S+)\] [^\n]*\b(failed|completed|finished|canceled|suspended)\b[^\n]*$/m

/** Synology's Hyper Backup by mail: the result, the name of the task, and the NAS. */
export const hyperBackup: Sender = {
  format: 'generic',
  matches: body => BACKUP_TASK.test(body.text) && BACKUP_RESULT.test(body.text),
  state: [body => readState(BACKUP_RESULT.exec(body.text)?.[2] ?? '')],
  subject: [body => `backup task ${body.match(BACKUP_TASK)} on ${body.match(BACKUP_RESULT)}`],
  reason: [body => body.match(/^(?:Error|Reason|Message): *([^\n]+)$/m)],
}

const NAS_NAME = /^NAS Name: *(\S+)/m
const APP = /^App Name: *\S/m
const MESSAGE = /^Message: *(?:\[[^[\]\n]*\] *)?([^\n]+)/m
/** What TrueNAS adds to the state of a pool, above the list of its disks. */
const POOL_REMARK = /(?<= state is \w+): One or more devices [^\n]*$/
const TRUENAS = /^(?:Subject: )?TrueNAS @ (\S+)(?: - Alerts)?[ \t]*$/m
// `$(?![\s\S])` is the end of the whole text, because with the flag `m` a bare `$` is the end of any line.
const NEW = /^New alerts?:\s*\n([\s\S]*?)(?=\n[ \t]*\n(?:Current alerts|The following alerts?)|$(?![\s\S]))/m
const CLEARED =
  /^The following alerts? (?:has|have) been cleared:\s*\n([\s\S]*?)(?=\n[ \t]*\n\S|$(?![\s\S]))/m

/**
 * TrueNAS by chat or mail: the new alerts, or else the cleared ones. Its list of all current alerts is
 * ignored.
 */
export const truenas: Sender = {
  format: 'generic',
  matches: body => TRUENAS.test(body.text) && alertsOf(body).length > 0,
  state: [
    body => alertsIn(body, NEW).map(stateInSentence)[0] ?? null,
    body => readState(NEW.test(body.text) ? 'alert' : 'clear'),
  ],
  subject: [body => body.match(TRUENAS)],
  about: [body => alertsOf(body).join(' ')],
  reason: [body => alertsOf(body)],
}

const alertsOf = oncePerBody((body: Body): readonly string[] => {
  const fresh = alertsIn(body, NEW)
  return fresh.length > 0 ? fresh : alertsIn(body, CLEARED)
})

/** The alerts of one list. A line that a mail has wrapped is joined, and list marks are removed. */
function alertsIn({ text }: Body, list: RegExp): readonly string[] {
  const found = list.exec(text)?.[1] ?? ''
  const lines = linesOf(found.replace(/\n {2,}(?![ *-])/g, ' ')).map(line => line.replace(/^- /, ''))
  return lines.map((line, index) => (index < lines.length - 1 ? line.replace(POOL_REMARK, '') : line))
}

/** QNAP's Notification Center by mail: `Name: value` lines, and the message behind its app's name. */
export const qnap: Sender = {
  format: 'generic',
  matches: body => NAS_NAME.test(body.text) && APP.test(body.text) && MESSAGE.test(body.text),
  state: [body => readState(body.match(/^Severity: *(\w+)/m))],
  subject: [body => body.match(NAS_NAME)],
  about: [body => problemOf(body.match(MESSAGE))],
  reason: [body => body.match(MESSAGE)],
}

const UNRAID = /^(Alert|Warning|Notice) \[([^\]\n]+)\] - ([^\n]+)/m
const UNRAID_STATES = wordTable<State>({
  Alert: { word: 'ALERT', kind: 'bad', severity: 'critical' },
  Warning: { word: 'WARN', kind: 'bad', severity: 'warning' },
})

/** Unraid's agents: `Warning [TOWER] - Disk 2 is hot (48 C)`, with the disk on the next line. */
export const unraid: Sender = {
  format: 'generic',
  matches: body => UNRAID.test(subjectOf(body)),
  state: [
    body => UNRAID_STATES[UNRAID.exec(subjectOf(body))?.[1] ?? ''] ?? null,
    body => endIn(UNRAID.exec(subjectOf(body))?.[3] ?? ''),
  ],
  subject: [body => UNRAID.exec(subjectOf(body))?.[2] ?? ''],
  about: [body => problemOf(UNRAID.exec(subjectOf(body))?.[3] ?? '')],
  reason: [body => [UNRAID.exec(subjectOf(body))?.[3] ?? '', detailOf(body)]],
}

/** The state of a sentence that tells the end of a problem. */
function endIn(sentence: string): State | null {
  const state = stateInSentence(sentence)
  return state?.kind === 'good' ? state : null
}

/** The subject: from the message's `Subject:` line, or the whole text. */
function subjectOf(body: Body): string {
  return /^Subject: ([^\n]+)/m.exec(body.message)?.[1] ?? body.text
}

/** The detail: a field, a `Description:` line, or the line after the subject. */
function detailOf(body: Body): string {
  const [, next = ''] = body.message.split(UNRAID).at(-1)?.split('\n') ?? []
  return body.find('description') || body.match(/^Description: ([^\n]+)/m) || next
}
