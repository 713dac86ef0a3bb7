import type { Body } from '#domain/alert/body.ts'
import type { Sender } from '#domain/alert/sender.ts'
import { readState } from '#domain/alert/vocabulary/states.ts'

/** Lines that only a mail from Monit has. */
const MONIT_LINE = /^Your faithful employee,$|^\t(?:Date|Action|Host|Description): /m
const EVENT = /^(?:monit alert -- )?([A-Z][A-Za-z ]+?) Service (\S+)\s*$/m
/** Events that report the end of a problem. */
const OVER = /succeeded$|^Exists$|recovery|^Link up$|^(?:Checksum|Timestamp|PID|PPID) not changed$/i
/** Events that report neither a problem nor its end. */
const NOTICE = /^(?:Instance|Monit instance|Status) changed$|^Action done$|^Instance/i

/** Monit: the event, the service, and the measured value. */
export const monit: Sender = {
  format: 'generic',
  matches: body => MONIT_LINE.test(body.text) && EVENT.test(body.text) && descriptionOf(body) !== '',
  state: [
    body => (OVER.test(body.match(EVENT)) ? readState('ok') : null),
    body => (NOTICE.test(body.match(EVENT)) ? null : readState('failed')),
  ],
  subject: [
    body => {
      const service = EVENT.exec(body.text)?.[2] ?? ''
      const host = body.match(/^\s*Host: +(\S+)/m)
      return host === '' || host === service ? service : `${service} on ${host}`
    },
  ],
  reason: [descriptionOf],
  extras: [
    body => {
      const action = body.match(/^\s*Action: +(\S+)/m)
      return action === 'alert' ? '' : `action: ${action}`
    },
  ],
}

function descriptionOf(body: Body): string {
  return body.match(/^\s*Description: +([^\n]+)/m)
}
