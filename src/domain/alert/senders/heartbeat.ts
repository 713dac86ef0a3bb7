import { decideState } from '#domain/alert/guess/decide-state.ts'
import type { Sender } from '#domain/alert/sender.ts'
import { cleanLine } from '#domain/alert/text/clean-text.ts'
import { spanBetween } from '#domain/alert/text/time-span.ts'
import { readState } from '#domain/alert/vocabulary/states.ts'
import { wordTable } from '#domain/alert/vocabulary/word-table.ts'

/** Uptime Kuma's numbers for the state of a heartbeat. */
const STATES = wordTable({ 0: 'down', 1: 'up', 2: 'pending', 3: 'maintenance' })

/** Uptime Kuma: `heartbeat` and `monitor`, both `null` in tests and in notices about certificates. */
export const heartbeat: Sender = {
  format: 'uptime-monitor',
  matches: body => body.has('heartbeat') && body.has('monitor'),
  state: [
    body => readState(STATES[body.raw('heartbeat.status')] ?? ''),
    body => decideState({ status: [], rank: [] }, [body.headline('msg')], [body.raw('msg')]),
  ],
  subject: ['monitor.name', 'monitor.pathName'],
  reason: ['heartbeat.msg', body => body.headline('msg').text],
  lasted: body => spanBetween(body.raw('heartbeat.lastDownTime'), body.raw('heartbeat.time')),
}

const MESSAGE = /^\[([^[\]\n]+)\] \[[^[\]\n]*?(Up|Down|Pending|Maintenance)\] ([^\n]*)/m

/** Uptime Kuma's message in chats and in the body of a user: `[NAS] [🔴 Down] timeout`, below its name. */
export const heartbeatText: Sender = {
  format: 'uptime-monitor',
  matches: body => /^Uptime Kuma Alert\b/.test(body.title) && MESSAGE.test(body.message),
  state: [body => readState(MESSAGE.exec(body.message)?.[2] ?? '')],
  subject: [body => cleanLine(MESSAGE.exec(body.message)?.[1] ?? '')],
  reason: [body => cleanLine(MESSAGE.exec(body.message)?.[3] ?? '')],
}

const CARD_TITLE = /^Your service .+ (went down|is up)[.!]?$/

/** Uptime Kuma's Discord message: the title says what happened; service and error are fields. */
export const heartbeatCard: Sender = {
  format: 'uptime-monitor',
  matches: body => CARD_TITLE.test(body.title) && body.raw('Service Name') !== '',
  state: [body => readState(CARD_TITLE.exec(body.title)?.[1] === 'is up' ? 'up' : 'down')],
  subject: ['Service Name'],
  reason: ['Error'],
}
