import { type Body, oncePerBody } from '#domain/alert/body.ts'
import { fieldKey } from '#domain/alert/read/find-fields.ts'
import { isObject } from '#domain/alert/read/json-value.ts'
import { scalarOf } from '#domain/alert/read/scalar-of.ts'
import type { Sender } from '#domain/alert/sender.ts'
import { cleanLine } from '#domain/alert/text/clean-text.ts'
import { OVER, readState, type State } from '#domain/alert/vocabulary/states.ts'

/** Most senders warn when so many days are left. */
const WARNED_DAYS = 14
const HOLDERS = ['ssl', 'tls', 'certificate', 'cert', 'domain']
/** `sslExpiryDaysLeft`, `days_before_expiration`, `certificate_expires_in_days` */
const DAYS = /days?(?:left|remaining|beforeexpir\w*|until\w*|till\w*|toexpir\w*)$|expir\w*days$/
const KINDS = [
  'alerttypefriendlyname',
  'alerttype',
  'event',
  'type',
  'monitortype',
  'monitorstatus',
  'status',
]
/** Kinds of alerts about a certificate or a domain. */
const ABOUT = /ssl|cert|expir|domain/i
const TEXTS = ['alertdetails', 'cause', 'description', 'message', 'summary', 'title']
const SENTENCE =
  /\b(?:certificate|domain|ssl)\b[^\n]{0,120}\b(?:will expire|expires|expiring)\b[^\n]{0,40}\d+ days?/i
const NAMES = [
  'monitorfriendlyname',
  'monitorname',
  'checkname',
  'monitor',
  'check',
  'name',
  'alias',
  'site',
  'domain',
  'host',
]

/** The sender's own sentence, if it says the number of days. */
const sentenceOf = oncePerBody((body: Body): string => {
  const texts = TEXTS.map(name => cleanLine(body.find(name)))
  return texts.find(text => SENTENCE.test(text)) ?? ''
})

/** The days left, as the sender writes them. Empty: no field has them. */
const daysOf = oncePerBody((body: Body): string => {
  for (const scope of body.scopes) {
    const holders = HOLDERS.map(name => scope.get(name)).filter(isObject)
    const fields = [...scope, ...holders.flatMap(holder => Object.entries(holder).slice(0, 64))]
    const found = fields.find(([name, value]) => DAYS.test(fieldKey(name)) && /^-?\d+$/.test(scalarOf(value)))
    if (found !== undefined) return scalarOf(found[1])
  }
  return ''
})

/** An uptime monitor's alert that a certificate or a domain expires, with the days left. */
export const certificate: Sender = {
  format: 'uptime-monitor',
  matches: body =>
    nameOf(body) !== '' && (SENTENCE.test(sentenceOf(body)) || (isAbout(body) && daysOf(body) !== '')),
  state: [recoveredState, body => readState(isExpired(body) ? 'expired' : 'expiring')],
  subject: [nameOf],
  reason: [
    sentenceOf,
    body => {
      const days = Number(daysOf(body))
      const kind = KINDS.some(name => /domain/i.test(body.find(name))) ? 'domain' : 'certificate'
      if (days <= 0) return `${kind} expired`
      return `${kind} expires in ${days} day${days === 1 ? '' : 's'}`
    },
  ],
}

/** False also if no field has the days: then the sender's sentence says that it will expire. */
function isExpired(body: Body): boolean {
  const days = daysOf(body)
  return days !== '' && Number(days) <= 0
}

function nameOf(body: Body): string {
  return body.label(...NAMES) || cleanLine(body.find('url')).replace(/^https?:\/\//, '')
}

/** Whether the alert says that it is about a certificate or a domain. */
function isAbout(body: Body): boolean {
  // UptimeRobot's alert types are numbers: 3 is a certificate or a domain.
  return KINDS.some(name => ABOUT.test(body.find(name))) || body.find('alerttype') === '3'
}

/** The state of an alert that is over. Null: it is not over. */
function recoveredState(body: Body): State | null {
  if (body.find('resolvedat') !== '') return readState('resolved')
  const state = body.states('status', 'state', 'event', 'action').find(one => one.kind === 'good') ?? null
  const days = daysOf(body)
  const isSoon = days !== '' && Number(days) <= WARNED_DAYS
  // `OK` may be the state of the site. That a problem is over outweighs the days, which may be those of then.
  return isSoon && !OVER.has(state?.word ?? '') ? null : state
}
