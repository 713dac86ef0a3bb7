import type { Body } from '#domain/alert/body.ts'
import type { Sender } from '#domain/alert/sender.ts'
import { linesOf } from '#domain/alert/text/clean-text.ts'
import { stateInSentence } from '#domain/alert/text/headline.ts'

const SUBJECT = /^(?:Subject: )?(\S+) - Notification$/m
const INTRODUCTION = /^Notifications in this message: \d+$/m
/** `07:14:02 MONITOR: WAN_DHCP is down`: the time, and the part of the firewall that says it. */
const NOTICE = /^\d{1,2}:\d\d:\d\d (?:[A-Z]{3,12}: )?(.+)$/

/** pfSense's mail: the notifications of one moment, a line each, and lines of details. */
export const pfsense: Sender = {
  format: 'generic',
  matches: body => SUBJECT.test(body.text) && INTRODUCTION.test(body.text),
  state: [body => noticesOf(body).map(stateInSentence)[0] ?? null],
  subject: [body => body.match(SUBJECT)],
  reason: [noticesOf],
}

function noticesOf(body: Body): readonly string[] {
  return body.message.split('\n').flatMap(line => linesOf(NOTICE.exec(line.trim())?.[1] ?? ''))
}
