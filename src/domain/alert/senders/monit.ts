import type { Body } from '#domain/alert/body.ts'
import type { Sender } from '#domain/alert/sender.ts'
import { readState, type State } from '#domain/alert/vocabulary/states.ts'

/** Lines that only a mail from Monit has. */
const MONIT_LINE = /^Your faithful employee,$|^\t(?:Date|Action|Host|Description): /m
const EVENT = /^(?:monit alert -- )?([A-Z][A-Za-z ]+?) Service (\S+)\s*$/m
/** Events that report the end of a problem. */
const OVER = /succeeded$|^Exists$|recovery|^Link up$|^(?:Checksum|Timestamp|PID|PPID) not changed$/i
/** Events that report neither a problem nor its end. */
const NOTICE = /^(?:Instance|Monit instance|Status) changed$|^Action done$|^Instance/i

const EVENT_ENDS = 'failed|succeeded|matched|match|exceeded|recovery|changed|up|down|exist'
/** The line of a command: `$MONIT_EVENT: $MONIT_SERVICE on $MONIT_HOST: $MONIT_DESCRIPTION`. */
const LINE = new RegExp(`^([A-Z][A-Za-z ]{1,30} (?:${EVENT_ENDS})|Exists): (\\S+ on \\S+): ([^\\n]+)$`)

/** Monit: the event, the service, and the measured value. */
export const monit: Sender = {
  format: 'generic',
  matches: body => MONIT_LINE.test(body.text) && EVENT.test(body.text) && descriptionOf(body) !== '',
  state: [body => stateOf(body.match(EVENT))],
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

/** As the handbook of an earlier release let it post. */
export const monitLine: Sender = {
  format: 'generic',
  matches: body => LINE.test(body.text),
  state: [body => stateOf(body.match(LINE))],
  subject: [body => LINE.exec(body.text)?.[2] ?? ''],
  about: [body => (/exists?$/i.test(body.match(LINE)) ? 'exist' : body.match(LINE).replace(/ \w+$/, ''))],
  reason: [body => LINE.exec(body.text)?.[3] ?? ''],
}

function stateOf(event: string): State | null {
  if (OVER.test(event)) return readState('ok')
  return NOTICE.test(event) ? null : readState('failed')
}

function descriptionOf(body: Body): string {
  return body.match(/^\s*Description: +([^\n]+)/m)
}
