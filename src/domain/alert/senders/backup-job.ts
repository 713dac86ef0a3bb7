import type { Body } from '#domain/alert/body.ts'
import { scalarOf } from '#domain/alert/read/scalar-of.ts'
import type { Sender } from '#domain/alert/sender.ts'
import { cleanLine, linesOf } from '#domain/alert/text/clean-text.ts'
import { faultLines, isFaultLine } from '#domain/alert/text/fault-line.ts'
import { joinWords, withPlace } from '#domain/alert/text/join-words.ts'
import { readState } from '#domain/alert/vocabulary/states.ts'

const TITLE = /^an? borgmatic (\w+) (?:has )?(failed|finished|started|completed)\b/i

/** borgmatic's hooks for ntfy and Pushover: "A borgmatic backup failed" and a message. */
export const borgmatic: Sender = {
  format: 'generic',
  matches: body => TITLE.test(body.title),
  state: [body => readState(TITLE.exec(body.title)?.[2] ?? '')],
  subject: [body => `borgmatic ${TITLE.exec(body.title)?.[1] ?? ''}`],
  reason: [borgError, 'message'],
}

const BORGMATIC_LOG = /^\S+: (?:Running actions|Error running actions) for repository$/m
/** Lines of borgmatic's log that do not say what borg said. */
const NOT_BORG = new RegExp(
  ': (?:Running actions|Creating archive|Error running actions|An error occurred)\\b' +
    "|file changed while we backed|^(?:Something went wrong|Error while (?:creating|running)|Command ')",
)

/** borgmatic's log, as its hook for Healthchecks sends it: what borg said before the end. */
export const borgmaticLog: Sender = {
  format: 'generic',
  matches: body => BORGMATIC_LOG.test(body.text) && body.title === '' && borgError(body) !== '',
  state: [() => readState('failed')],
  subject: [() => 'borgmatic'],
  reason: [borgError],
}

/** The last line that is borg's own. */
function borgError(body: Body): string {
  if (!BORGMATIC_LOG.test(body.message)) return ''
  return body.lines('message').findLast(line => !NOT_BORG.test(line)) ?? ''
}

const TASK = /^Task: "?(?:[\w ]*?\bplan )?\\?"?([\w.-]+)/m
const EVENT = /^Event: (?:CONDITION_)?([\w ]+?) *$/m

/** Backrest's summary: the plan, what happened to it, and the error. */
export const backrest: Sender = {
  format: 'generic',
  matches: body => /^Backrest\b/.test(body.text) && TASK.test(body.text) && EVENT.test(body.text),
  state: [
    body => {
      const event = body.match(EVENT)
      return /error|warning/i.test(event) ? readState(lastWord(event)) : null
    },
  ],
  subject: [body => `Backrest ${body.match(/^Plan: (\S+)/m) || body.match(TASK)}`],
  reason: [
    body => body.match(/^(Fatal: [^\n]+)/m),
    body => body.match(/^Error: ([^\n]+)/m),
    body => body.match(EVENT).replace(/_/g, ' ').toLowerCase(),
  ],
  extras: [body => body.match(/^- (Data added: [^\n]+)/m)],
}

function lastWord(text: string): string {
  return text.split(/[\s_]/).at(-1) ?? ''
}

const REPORT = /^Duplicati (?:Backup )?(?:\w+ )?report for ([^\n]+)$/m
const PROBLEM = /\[(?:Error|Warning)-[^\]\n]*\]: ([^\n]+)/
const RESULT = /^(?:ParsedResult|MainOperation result): (\w+)|^(Failed|Success|Warning|Error)\b/m

/** Duplicati by mail: the job, and the first error or warning of its log. */
export const duplicatiMail: Sender = {
  format: 'generic',
  matches: body => REPORT.test(body.text) && RESULT.test(body.text) && faultOf(body) !== '',
  state: [body => readState(body.match(RESULT))],
  subject: [body => `Duplicati ${body.match(REPORT)}`],
  reason: [faultOf],
}

/** `Fatal error` in the log says less than the line `Failed: …` above it. */
function faultOf(body: Body): string {
  const summary = body.match(/^(?:Failed|Error|Details|Message): ([^\n]+)/m)
  const logged = body.match(PROBLEM)
  return summary === '' || (logged !== '' && logged !== 'Fatal error') ? logged || summary : summary
}

/** Duplicati's report as JSON: the job, and its first error or warning. */
export const duplicatiReport: Sender = {
  format: 'generic',
  matches: body => body.has('Data.ParsedResult') && body.has('Extra.backup-name'),
  state: ['Data.ParsedResult'],
  subject: [
    body => joinWords(body.line('Extra.backup-name'), withPlace('on', body.line('Extra.machine-name'))),
  ],
  reason: [
    body => linesOf(body.raw('Exception') || body.raw('Data.Exception')).slice(0, 1),
    body => firstEntry(body, 'Data.Errors') || firstEntry(body, 'Data.Warnings'),
    body => firstEntry(body, 'LogLines'),
  ],
}

/** The first entry of a list of log lines, without its time and source. */
function firstEntry(body: Body, path: string): string {
  const list = body.at(path)
  const text = Array.isArray(list) ? cleanLine(scalarOf(list[0])) : ''
  return PROBLEM.exec(text)?.[1] ?? text
}

/** `[Failed] Daily VMs (3 objects) 1 failed`. */
const VEEAM = /^(?:Subject: )?\[(Success|Warning|Failed)\] ([^\n(]+)(?:\([^()\n]+\)[ \w,]*)?$/m

const VEEAM_FAULT = new RegExp(
  '(?:\\b(?:Error|Warning): |^(?:Error|Warning) (?!\\d))' +
    '(?:Job \\S+ has (?:failed|finished with warnings?)\\. ?)?(\\S.*)$',
)

/** Veeam's mail about a job: a table with a row for each machine, and the error in its last cell. */
export const veeam: Sender = {
  format: 'generic',
  matches: body => VEEAM.test(body.text) && /\bBackup job\b/i.test(body.message),
  state: [body => readState(body.match(VEEAM))],
  subject: [body => cleanLine(VEEAM.exec(body.text)?.[2] ?? '')],
  reason: [
    body => linesOf(body.message).flatMap(line => VEEAM_FAULT.exec(line)?.[1] ?? []),
    body => linesOf(body.message),
  ],
}

const RESTIC = /^(?:repository [\da-f]{8} opened|snapshot [\da-f]{8} saved)\b/m

/** What restic prints while it makes a backup, if something went wrong: the lines that say so. */
export const restic: Sender = {
  format: 'generic',
  matches: body => RESTIC.test(body.text) && resticFaults(body).length > 0,
  state: [body => readState(/^warning:/i.test(resticFaults(body)[0] ?? '') ? 'warning' : 'failed')],
  subject: [body => body.title || 'restic'],
  reason: [body => resticFaults(body).map(line => line.replace(/^(?:warning|fatal): /i, ''))],
}

function resticFaults(body: Body): readonly string[] {
  return linesOf(body.message).filter(line => /^warning:/i.test(line) || isFaultLine(line))
}

/** resticprofile's command for a failed backup: the profile, and what restic wrote on standard error. */
export const resticProfile: Sender = {
  format: 'generic',
  matches: body => body.raw('profile') !== '' && body.raw('command') !== '' && body.has('stderr'),
  state: [() => readState('failed')],
  subject: [body => `restic ${body.line('command')} of profile ${body.line('profile')}`],
  reason: [body => faultLines(body.lines('stderr')).slice(0, 1), 'stderr', 'error'],
}

/** restic's summary of a backup as JSON: the snapshot, and how many files changed. */
export const resticSummary: Sender = {
  format: 'generic',
  matches: body => body.raw('message_type') === 'summary' && body.has('files_new') && body.has('snapshot_id'),
  state: [],
  subject: [() => 'restic backup'],
  reason: [body => `${body.line('files_new')} new, ${body.line('files_changed')} changed files`],
  extras: [body => `snapshot ${body.line('snapshot_id').slice(0, 8)}`],
}

/** Duplicacy's report: which repository of which machine. */
export const duplicacy: Sender = {
  format: 'generic',
  matches: body => body.has('computer') && body.has('storage') && body.has('result'),
  state: ['result'],
  subject: [body => `Duplicacy ${body.line('id', 'directory')} on ${body.line('computer')}`],
  reason: [],
}
