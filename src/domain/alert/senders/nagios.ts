import type { Body } from '#domain/alert/body.ts'
import type { Sender } from '#domain/alert/sender.ts'
import { cleanLine } from '#domain/alert/text/clean-text.ts'
import { readHeadline } from '#domain/alert/text/headline.ts'
import { readState, type State } from '#domain/alert/vocabulary/states.ts'
import { wordTable } from '#domain/alert/vocabulary/word-table.ts'

const SERVICES = ['servicedisplayname', 'servicedescription', 'servicedesc', 'servicename']
const HOSTS = ['hostdisplayname', 'hostname', 'hostalias']

const MAIL_TYPE = /^Notification Type: *(\w+)/m
const MAIL_SERVICE = /^Service: *(\S[^\n]*)/m
const MAIL_HOST = /^Host: *(\S+)/m
const MAIL_STATE = /^State: *(\w+)/m

/** Notification types that replace the state of the host or service in the text. */
export const NOTICES = wordTable<State>({
  acknowledgement: { word: 'ACKNOWLEDGED', kind: 'good' },
  flappingstart: { word: 'FLAPPING', kind: 'other' },
  downtime: { word: 'MAINTENANCE', kind: 'good' },
  downtimestart: { word: 'MAINTENANCE', kind: 'good' },
})

/**
 * Nagios, Icinga and Checkmk as JSON: `NOTIFICATIONTYPE`, a host or one of its services, state and output.
 */
export const nagios: Sender = {
  format: 'generic',
  matches: body => body.find('notificationtype') !== '' && hostOf(body) !== '' && stateOf(body) !== null,
  state: [body => NOTICES[body.find('notificationtype').toLowerCase()] ?? null, stateOf],
  subject: [serviceOf, hostOf],
  reason: [
    body => readHeadline(cleanLine(body.find(serviceOf(body) === '' ? 'hostoutput' : 'serviceoutput'))).text,
  ],
  extras: [hostOf],
}

/** The mails of Nagios and Icinga: `Name: value` lines, and the output of the check below them. */
export const nagiosMail: Sender = {
  format: 'generic',
  matches: body =>
    body.match(MAIL_TYPE) !== '' &&
    body.match(MAIL_HOST) !== '' &&
    readState(body.match(MAIL_STATE)) !== null,
  state: [
    body => NOTICES[body.match(MAIL_TYPE).toLowerCase()] ?? null,
    body => readState(body.match(MAIL_STATE)),
  ],
  subject: [body => body.match(MAIL_SERVICE), body => body.match(MAIL_HOST)],
  reason: [body => readHeadline(body.match(/^(?:Additional )?Info: *\n*[ \t]*([^\n]+)/m)).text],
  extras: [body => body.match(MAIL_HOST)],
}

const LINE = /^(PROBLEM|RECOVERY|ACKNOWLEDGEMENT|(?:FLAPPING|DOWNTIME)(?:START|END)) ([^:\n]{1,80}?) ?:(.*)$/

/** A line of a notification command: its type, the host and the service, and the output of the check. */
export const nagiosLine: Sender = {
  format: 'generic',
  matches: body => LINE.test(body.text),
  state: [
    body => NOTICES[lineOf(body, 1).toLowerCase()] ?? null,
    body => (lineOf(body, 1) === 'RECOVERY' ? readState('recovery') : readHeadline(lineOf(body, 3)).state),
    body => (lineOf(body, 1) === 'PROBLEM' ? readState('problem') : null),
  ],
  subject: [body => lineOf(body, 2)],
  reason: [body => readHeadline(lineOf(body, 3)).text],
}

function lineOf(body: Body, group: number): string {
  return cleanLine(LINE.exec(body.text)?.[group] ?? '')
}

function serviceOf(body: Body): string {
  return body.label(...SERVICES)
}

function hostOf(body: Body): string {
  return body.label(...HOSTS)
}

function stateOf(body: Body): State | null {
  return readState(body.find(serviceOf(body) === '' ? 'hoststate' : 'servicestate'))
}
