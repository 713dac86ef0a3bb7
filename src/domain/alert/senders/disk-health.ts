import type { Sender } from '#domain/alert/sender.ts'
import { joinWords, withPlace } from '#domain/alert/text/join-words.ts'
import { readState } from '#domain/alert/vocabulary/states.ts'

const SMART_FAULT =
  /^(?:[^\n]{0,60}smartd\[\d+\]: )?(?:TEST EMAIL from smartd for device|Device): (\/[^\n]+)/m
const SMART_KIND = /\bSMART error \((\w+)\)/
const SMART_HOST = /^[ \t]*host(?: name)?: +(\S+)|detected on host: (\S+)/m

/** smartd: the mail from its warning script, or its line in the log. */
export const smartd: Sender = {
  format: 'generic',
  matches: body => /\bsmartd\b|\bSMART error\b/.test(body.text) && SMART_FAULT.test(body.text),
  state: [
    body => (/EmailTest|^TEST EMAIL/m.test(body.text) ? readState('test') : null),
    () => readState('error'),
  ],
  subject: [body => joinWords('SMART', body.match(SMART_KIND), withPlace('on', body.match(SMART_HOST)))],
  reason: [body => body.match(SMART_FAULT)],
}

/** Scrutiny's webhook: which disk of which machine failed. */
export const scrutiny: Sender = {
  format: 'generic',
  matches: body => body.has('failure_type') && body.has('device_name'),
  state: [
    body => (body.at('test') === true || /\bTest\b/.test(body.title) ? readState('test') : null),
    () => readState('failed'),
  ],
  subject: [body => joinWords('SMART', withPlace('on', body.match(/^Host Id: (\S+)/m)))],
  reason: ['device_name'],
  extras: ['device_serial'],
}
