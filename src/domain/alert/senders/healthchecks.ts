import type { Sender } from '#domain/alert/sender.ts'
import { readState } from '#domain/alert/vocabulary/states.ts'

const SENTENCE =
  /^(?:[^\n"“]{0,8}The check )?["“«]?([^"”»\n]{1,80}?)["”»]? is (DOWN|UP)\b(?: \(([^)\n]*)\))?/m
const SUBJECT = /^(DOWN|UP) \| ([^\n]+)$/m
const FACTS = /^(?:Total Pings|Last Ping|Period|Schedule): /im
const LAST_BODY = /^Last Ping Body:?\s*\n([^\n]+)/im

/** Healthchecks by mail, push or chat text: the check and why; its counters are of no use in a text. */
export const healthchecks: Sender = {
  format: 'uptime-monitor',
  matches: body => FACTS.test(body.text) && (SENTENCE.test(body.text) || SUBJECT.test(body.text)),
  state: [body => readState(SENTENCE.exec(body.text)?.[2] ?? SUBJECT.exec(body.text)?.[1] ?? '')],
  subject: [body => body.match(SENTENCE), body => SUBJECT.exec(body.text)?.[2] ?? ''],
  reason: [body => [SENTENCE.exec(body.text)?.[3] ?? '', body.match(LAST_BODY)]],
}
