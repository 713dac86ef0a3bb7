import type { Sender } from '#domain/alert/sender.ts'
import { readState } from '#domain/alert/vocabulary/states.ts'

const SUBJECT = /^(?:Subject: )?Checkmk: ([^\s/]+)(?:\/([^\n]*?))? (?:[A-Z]+ ?-> ?)([A-Z]+)$/m
/** Checkmk marks a value above a threshold: `(!)` for warning, `(!!)` for critical. */
const MARKS = /\(!{1,2}\)/g

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
