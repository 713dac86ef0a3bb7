import type { Body } from '#domain/alert/body.ts'
import type { Sender } from '#domain/alert/sender.ts'
import { linesOf } from '#domain/alert/text/clean-text.ts'

const HEAD = /^Ihre (FRITZ!Box[^\n]{0,30}?) meldet:$/m
const SINCE = /^\d\d\.\d\d\.\d\d(?:\d\d)? \d\d:\d\d:\d\d /

/** A mail of a FRITZ!Box: what happened, without its time and the greeting. */
export const fritzBox: Sender = {
  format: 'generic',
  matches: body => HEAD.test(body.text),
  state: [],
  subject: [body => body.match(HEAD)],
  reason: [eventsOf],
}

function eventsOf(body: Body): readonly string[] {
  const [, after = ''] = body.text.split(HEAD).slice(1)
  const [told = ''] = after.split(/^Mit freundlichen Gr/m)
  const lines = linesOf(told).map(line => line.replace(SINCE, ''))
  // The event with its reason says what the sentence above it says.
  const dated = linesOf(told).some(line => SINCE.test(line))
  return dated ? lines.slice(-1) : lines
}
