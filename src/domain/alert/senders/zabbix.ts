import type { Body } from '#domain/alert/body.ts'
import type { Sender } from '#domain/alert/sender.ts'
import { joinWords } from '#domain/alert/text/join-words.ts'
import { readState, type State } from '#domain/alert/vocabulary/states.ts'
import { wordTable } from '#domain/alert/vocabulary/word-table.ts'

const NAME = /^Problem name: *([^\n]+)/m
const HOST = /^Host: *([^\n]+)/m
const SEVERITY = /^Severity: *([^\n]+)/m
const VALUE = /^Operational data: *([^\n]+)/m
const LASTED = /^Problem duration: *([^\n]+)/m

/** Zabbix: the message of its default templates. The name of a trigger is never shortened. */
export const zabbix: Sender = {
  format: 'generic',
  matches: body => NAME.test(body.text) && /^Original problem ID: /m.test(body.text),
  state: [
    body => (/^Problem has been resolved/m.test(body.text) ? readState('resolved') : null),
    severityState,
    () => readState('problem'),
  ],
  severity: body => SEVERITIES[body.match(SEVERITY).toLowerCase()] ?? null,
  reason: [
    body => {
      const name = body.match(NAME)
      const host = body.match(HOST)
      const rank = severityState(body) === null && !LASTED.test(body.text) ? `${body.match(SEVERITY)}: ` : ''
      return `${rank}${onHost(name, host)}`
    },
  ],
  extras: [body => (LASTED.test(body.text) ? '' : body.match(VALUE).replace(/[()]|^\*?UNKNOWN\*?$/g, ''))],
  lasted: body => body.match(LASTED),
}

const SEVERITIES = wordTable<'info' | 'warning' | 'critical'>({
  'not classified': 'info',
  information: 'info',
  warning: 'warning',
  average: 'warning',
  high: 'critical',
  disaster: 'critical',
})

/** The severity as a state: WARN or DISASTER; Information is not shown. `null` for any other. */
function severityState(body: Body): State | null {
  return readSeverity(body.match(SEVERITY))
}

function readSeverity(severity: string): State | null {
  const state = readState(severity)
  return state?.kind === 'bad' || state?.kind === 'quiet' ? state : null
}

/** Zabbix's webhooks: the same facts as fields. `event_value` is 0 once the problem is over. */
export const zabbixEvent: Sender = {
  format: 'generic',
  matches: body => body.raw('event_name') !== '' && body.has('event_value') && body.has('event_severity'),
  state: [
    body => (body.raw('event_value') === '0' ? readState('resolved') : null),
    updateOf,
    body => readSeverity(body.raw('event_severity')),
    () => readState('problem'),
  ],
  severity: body => SEVERITIES[body.raw('event_severity').toLowerCase()] ?? null,
  reason: [
    body => {
      const name = onHost(body.line('event_name'), body.line('host_name'))
      const [user, words] = [body.line('event_update_user'), body.line('event_update_message')]
      if (isUpdate(body)) return [name, `${user}: ${words}`]
      const isRanked = readSeverity(body.raw('event_severity')) !== null || body.raw('event_value') === '0'
      return `${isRanked ? '' : `${body.line('event_severity')}: `}${name}`
    },
  ],
  extras: [
    body =>
      body.raw('event_value') === '0' || isUpdate(body) ? '' : body.line('event_opdata').replace(/[()]/g, ''),
  ],
  lasted: body => (isUpdate(body) ? '' : body.line('event_duration')),
}

/** Whether a person worked on the problem, which lasts. */
function isUpdate(body: Body): boolean {
  return body.raw('event_update_status') === '1' && body.raw('event_value') !== '0'
}

/** What the person did: `acknowledged, commented`. */
function updateOf(body: Body): State | null {
  const [first = ''] = body.raw('event_update_action').split(/\W/)
  return isUpdate(body) ? (readState(first) ?? UPDATED_STATE) : null
}

const UPDATED_STATE: State = { word: 'UPDATED', kind: 'other' }
const UPDATED = /^Updated problem in [^:\n]+: ([^\n]+)/m
const UPDATE = new RegExp(
  '^([^\\n]{1,100}?) ((?:un)?acknowledged|(?:un)?suppressed|commented|closed|changed severity)\\b' +
    '[^\\n]{0,200}? problem at \\d{4}\\.\\d\\d\\.\\d\\d \\d\\d:\\d\\d:\\d\\d\\.' +
    '\\s*(?!Current problem)([^\\n]*)',
  'm',
)

/** Zabbix's default message about a problem that a person worked on: who, and their comment. */
export const zabbixUpdate: Sender = {
  format: 'generic',
  matches: body => UPDATED.test(body.text) && UPDATE.test(body.text),
  state: [body => readState(UPDATE.exec(body.text)?.[2] ?? ''), () => UPDATED_STATE],
  subject: [body => body.match(UPDATED)],
  reason: [
    body => {
      const [, user = '', action = '', comment = ''] = UPDATE.exec(body.text) ?? []
      const isShown = action !== 'acknowledged' || comment.trim() === ''
      return [joinWords(user, isShown ? action : ''), comment.trim()].filter(text => text !== '').join(': ')
    },
  ],
  extras: [body => body.line('host_name')],
}

function onHost(name: string, host: string): string {
  return host === '' || name.includes(host) ? name : `${name} on ${host}`
}
