import type { Body } from '#domain/alert/body.ts'
import type { Sender } from '#domain/alert/sender.ts'
import { readState } from '#domain/alert/vocabulary/states.ts'

const TITLE = /^an? borgmatic (\w+) (?:has )?(failed|finished|started|completed)\b/i

/** borgmatic's hooks for ntfy and Pushover: "A borgmatic backup failed" and a message. */
export const borgmatic: Sender = {
  format: 'generic',
  matches: body => TITLE.test(body.title),
  state: [body => readState(TITLE.exec(body.title)?.[2] ?? '')],
  subject: [body => `borgmatic ${TITLE.exec(body.title)?.[1] ?? ''}`],
  reason: ['message'],
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

function faultOf(body: Body): string {
  return body.match(PROBLEM) || body.match(/^(?:Failed|Error|Details|Message): ([^\n]+)/m)
}

/** Duplicacy's report: which repository of which machine. */
export const duplicacy: Sender = {
  format: 'generic',
  matches: body => body.has('computer') && body.has('storage') && body.has('result'),
  state: ['result'],
  subject: [body => `Duplicacy ${body.line('id', 'directory')} on ${body.line('computer')}`],
  reason: [],
}
