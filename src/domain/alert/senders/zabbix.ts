import type { Body } from '#domain/alert/body.ts'
import type { Sender } from '#domain/alert/sender.ts'
import { readState, type State } from '#domain/alert/vocabulary/states.ts'

const NAME = /^Problem name: *([^\n]+)/m
const HOST = /^Host: *([^\n]+)/m
const SEVERITY = /^Severity: *([^\n]+)/m
const VALUE = /^Operational data: *([^\n]+)/m
const LASTED = /^Problem duration: *([^\n]+)/m

/** Zabbix: the message of its default templates. The name of a trigger is its owner's: it stays whole. */
export const zabbix: Sender = {
  format: 'generic',
  matches: body => NAME.test(body.text) && /^Original problem ID: /m.test(body.text),
  state: [
    body => (/^Problem has been resolved/m.test(body.text) ? readState('resolved') : null),
    rankOf,
    () => readState('problem'),
  ],
  severity: body => SEVERITIES[body.match(SEVERITY).toLowerCase()] ?? null,
  reason: [
    body => {
      const name = body.match(NAME)
      const host = body.match(HOST)
      const rank = rankOf(body) === null && !LASTED.test(body.text) ? `${body.match(SEVERITY)}: ` : ''
      return `${rank}${name}${name.includes(host) ? '' : ` on ${host}`}`
    },
  ],
  extras: [body => (LASTED.test(body.text) ? '' : body.match(VALUE).replace(/[()]|^\*?UNKNOWN\*?$/g, ''))],
  lasted: body => body.match(LASTED),
}

const SEVERITIES: Readonly<Record<string, 'info' | 'warning' | 'critical'>> = {
  'not classified': 'info',
  information: 'info',
  warning: 'warning',
  average: 'warning',
  high: 'critical',
  disaster: 'critical',
}

/** Severities that are states of their own: Warning, Disaster. */
function rankOf(body: Body): State | null {
  const rank = readState(body.match(SEVERITY))
  return rank?.kind === 'bad' ? rank : null
}
