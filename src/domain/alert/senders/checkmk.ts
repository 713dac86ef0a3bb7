import type { Sender } from '#domain/alert/sender.ts'
import { readState } from '#domain/alert/vocabulary/states.ts'

const SUBJECT = /^(?:Subject: )?Checkmk: ([^\s/]+)(?:\/([^\n]*?))? (?:[A-Z]+ ?-> ?)([A-Z]+)$/m
/** The thresholds at the end, with the new state. The value before them says more. */
const THRESHOLDS = /,? \(warn\/crit (?:at|below) [^()]*\)(?:CRIT|WARN)?$/
/** Checkmk marks a value above a threshold: `(!)` for warning, `(!!)` for critical. */
const MARKS = /\(!{1,2}\)/g

const HOST = /^Host: (\S+)/m
const CHANGE = /^Event: +\S+ (?:->|→) (\w+)/m

/** Checkmk in a chat: the same facts as `Name: value` lines. */
export const checkmkChat: Sender = {
  format: 'generic',
  matches: body => HOST.test(body.text) && CHANGE.test(body.text),
  state: [body => readState(body.match(CHANGE))],
  subject: [
    body => {
      const service = body.match(/^Service: ([^\n]+)/m)
      return service === '' ? body.match(HOST) : `${service} on ${body.match(HOST)}`
    },
  ],
  reason: [body => body.match(/^Info: ([^\n]+)/m).replace(THRESHOLDS, '')],
}

/** A mail from Checkmk: host and service, the new state, and the output of the check. */
export const checkmkMail: Sender = {
  format: 'generic',
  matches: body => SUBJECT.test(body.text),
  state: [body => readState(SUBJECT.exec(body.text)?.[3] ?? '')],
  subject: [
    body => {
      const [, host = '', service = ''] = SUBJECT.exec(body.text) ?? []
      return service === '' ? host : `${service} on ${host}`
    },
  ],
  reason: [body => body.match(/^(?:Plugin Output|Summary|Info): +([^\n]+)/m).replace(MARKS, '')],
}
