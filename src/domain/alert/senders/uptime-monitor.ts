import { type Body, oncePerBody } from '#domain/alert/body.ts'
import { findExit } from '#domain/alert/read/find-exit.ts'
import { findEventStates } from '#domain/alert/read/find-fields.ts'
import type { Sender } from '#domain/alert/sender.ts'
import { headlineOf, uptimeReason } from '#domain/alert/senders/uptime-reason.ts'
import { cleanLine } from '#domain/alert/text/clean-text.ts'
import { readSpan, spanBetween } from '#domain/alert/text/time-span.ts'
import { words } from '#domain/alert/vocabulary/field-names.ts'
import { chooseState, readState, type State } from '#domain/alert/vocabulary/states.ts'
import { wordTable } from '#domain/alert/vocabulary/word-table.ts'

/** Fields with the name of a monitor. One of them and a state are enough to recognize an uptime monitor. */
const MONITORS = words(
  'monitorfriendlyname monitorname monitordisplayname checkname monitor check snitch healthcheck ' +
    'endpointname endpoint pronounceablename',
)
const STATES = words(
  'alerttypefriendlyname currentstate monitorstatus monitorstate checkstate checkstatus ' +
    'alertstatus newstate newstatus status state alerttype eventtype event type action ' +
    'notificationtype reason',
)
const SPANS = words(
  'alertfriendlyduration alertduration downtimeduration downtime outagetime outageduration ' +
    'incidentduration duration',
)
const BEGINNINGS = ['lastdowntime', 'startedat', 'downat', 'startedon', 'incidentstartedat']
const ENDS = ['resolvedat', 'endedat', 'resolvedon', 'recoveredat', 'time']
const NAMES = ['name', 'displayname', 'sitename', 'websitename', 'site', 'alias']
/** If one of these fields has a value, the incident is over. */
const RESOLVED = ['resolvedat', 'endedat']
const UPTIME_STATE = /^(?:UP|DOWN|OFFLINE|UNREACHABLE|DEGRADED|UNHEALTHY|MAINTENANCE|PAUSED|LATE|MISSED)$/

/**
 * Any uptime monitor, recognized by field names: the name of a monitor with a state, `name` with a state such
 * as UP or DOWN, or an incident with a `cause`.
 */
export const uptimeMonitor: Sender = {
  format: 'uptime-monitor',
  matches: body => isFromMonitor(body),
  state: [body => stateOf(body)],
  subject: [nameOf],
  reason: [uptimeReason],
  extras: [
    body => findExit(body.scopes),
    body => {
      const tags =
        stateOf(body)?.kind === 'good' || uptimeReason(body) + findExit(body.scopes) !== ''
          ? ''
          : body.find('tags')
      return tags === '' ? '' : `tags: ${cleanLine(tags)}`
    },
    body => body.label('hostname', 'host', 'device'),
  ],
  lasted: body =>
    readSpan(cleanLine(body.find(...SPANS))) || spanBetween(body.find(...BEGINNINGS), body.find(...ENDS)),
}

function isFromMonitor(body: Body): boolean {
  const state = nameOf(body) === '' ? null : stateOf(body)
  if (state === null) return false
  if (body.label(...MONITORS) !== '' || isIncident(body)) return true
  const own = body.scopes[0]
  const isTitled = own?.has('title') === true || own?.has('subject') === true
  return !isTitled && body.states(...STATES).length > 0 && UPTIME_STATE.test(state.word)
}

function isIncident(body: Body): boolean {
  return body.scopes.some(scope => scope.has('cause')) && body.find('startedat') !== ''
}

function nameOf(body: Body): string {
  const isService = body.scopes.some(scope => [...scope.keys()].some(key => key.startsWith('service')))
  const names = isService ? NAMES : [...NAMES, 'hostname', 'host', 'servername']
  return body.label(...MONITORS, ...names) || addressOf(body)
}

const stateOf = oncePerBody((body: Body): State | null => {
  const found = body.states(...STATES)
  const worded = chooseState(found.filter(state => state.kind !== 'quiet')) ?? numberedState(body)
  // The state of a site may stand beside an event about something else: `cert_will_expire`.
  const event = worded?.kind === 'good' ? findEventStates(body.scopes, ['event', 'eventtype']) : []
  const worse = event.find(({ kind }) => kind === 'bad')
  if (worded?.kind === 'test' || worded?.kind === 'good') return worse ?? worded
  if (isIncident(body) && body.find(...RESOLVED) !== '') return readState('resolved')
  if (isIncident(body) && (worded === null || worded.kind === 'weak')) return readState('down')
  return worded ?? headlineOf(body).state ?? unknownState(body)
})

/** UptimeRobot's numbers for the type of an alert. */
const ALERT_TYPES = wordTable({ 1: 'down', 2: 'up', 3: 'expiring', 4: 'slow' })

/** The state of an UptimeRobot alert that has only the number of its type. */
function numberedState(body: Body): State | null {
  const isUptimeRobot = body.scopes[0]?.has('monitorfriendlyname') === true
  return isUptimeRobot ? readState(ALERT_TYPES[body.find('alerttype')] ?? '') : null
}

/** A state word that is not in the vocabulary, shown as it is. */
function unknownState(body: Body): State | null {
  const word = body.label(...MONITORS) === '' ? '' : body.find('monitorstatus', 'currentstate', 'status')
  return /^\p{L}{3,16}$/u.test(word) && readState(word) === null
    ? { word: word.toUpperCase(), kind: 'other' }
    : null
}

function addressOf(body: Body): string {
  const place = cleanLine(body.find('location'))
  return bareUrl(cleanLine(body.find('url')) || (/^https?:/i.test(place) ? place : ''))
}

/** An address without `https://` and the final slash. */
function bareUrl(url: string): string {
  return url.replace(/^https?:\/\//i, '').replace(/\/$/, '')
}
