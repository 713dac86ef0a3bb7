import type { Body } from '#domain/alert/body.ts'
import type { Sender } from '#domain/alert/sender.ts'
import { readState } from '#domain/alert/vocabulary/states.ts'

const SENTENCE =
  /^(?:[^\n"“]{0,8}The check )?["“«]?([^"”»\n]{1,80}?)["”»]? is (DOWN|UP)\b(?: \(([^)\n]*)\))?/m
const SUBJECT = /^(DOWN|UP) \| ([^\n]+)$/m
const FACTS = /^(?:Total Pings|Last Ping|Period|Schedule): /im
const FACT_NAMES = ['totalpings', 'lastping', 'period', 'schedule']
const REASON = /^Reason: ([^\n]+)/m
const LAST_BODY = /^Last Ping Body:?\s*\n([^\n]+)/im

/** Healthchecks by mail, push or chat: the check and why it failed, without the ping counters. */
export const healthchecks: Sender = {
  format: 'uptime-monitor',
  matches: body =>
    (FACTS.test(plainText(body)) || body.find(...FACT_NAMES) !== '') &&
    (SENTENCE.test(plainText(body)) || SUBJECT.test(plainText(body))),
  state: [body => readState(SENTENCE.exec(plainText(body))?.[2] ?? SUBJECT.exec(plainText(body))?.[1] ?? '')],
  subject: [body => SENTENCE.exec(plainText(body))?.[1] ?? SUBJECT.exec(plainText(body))?.[2] ?? ''],
  reason: [
    body => [
      SENTENCE.exec(plainText(body))?.[3] || body.match(REASON).replace(/\.$/, ''),
      body.match(LAST_BODY),
    ],
  ],
}

/** The text without the marks for bold print that Telegram, Gotify and Discord get. */
function plainText({ text }: Body): string {
  return text.replace(/<\/?b>|\*\*/g, '')
}
