import type { Sender } from '#domain/alert/sender.ts'
import { readState } from '#domain/alert/vocabulary/states.ts'
import { wordTable } from '#domain/alert/vocabulary/word-table.ts'

const SUBJECT = /\bunattended-upgrades result for (\S+?):? (SUCCESS|FAILURE|True|False)\b/
const STATES = wordTable({ FAILURE: 'failed', False: 'failed' })

/** A mail from unattended-upgrades (Debian, Ubuntu): the result, and whether a reboot is required. */
export const unattendedUpgrades: Sender = {
  format: 'generic',
  matches: body => SUBJECT.test(body.text),
  state: [body => readState(STATES[SUBJECT.exec(body.text)?.[2] ?? ''] ?? '')],
  subject: [body => `upgrades on ${body.match(SUBJECT)}`],
  reason: [body => body.match(/^Unattended upgrade result: ([^\n]+)/m)],
  extras: [body => (/reboot (?:is )?required/i.test(body.text) ? 'reboot required' : '')],
}
