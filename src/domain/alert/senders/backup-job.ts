import type { Sender } from '#domain/alert/sender.ts'
import { readState } from '#domain/alert/vocabulary/states.ts'

const TITLE = /^an? borgmatic (\w+) (failed|finished|started|completed)\b/i

/** borgmatic's hooks for ntfy and Pushover: "A borgmatic backup failed" and a message. */
export const borgmatic: Sender = {
  format: 'generic',
  matches: body => TITLE.test(body.title),
  state: [body => readState(TITLE.exec(body.title)?.[2] ?? '')],
  subject: [body => `borgmatic ${TITLE.exec(body.title)?.[1] ?? ''}`],
  reason: ['message'],
}
