import type { Sender } from '#domain/alert/sender.ts'
import { readState } from '#domain/alert/vocabulary/states.ts'

const SUBJECT = /\bunattended-upgrades result for (\S+?):? (SUCCESS|FAILURE|True|False)\b/
const STATES: Readonly<Record<string, string>> = { FAILURE: 'failed', False: 'failed' }

/** unattended-upgrades of Debian and Ubuntu, by mail: what came of it, and whether a reboot is due. */
export const unattendedUpgrades: Sender = {
  format: 'generic',
  matches: body => SUBJECT.test(body.text),
  state: [body => readState(STATES[SUBJECT.exec(body.text)?.[2] ?? ''] ?? '')],
  subject: [body => `upgrades on ${body.match(SUBJECT)}`],
  reason: [body => body.match(/^Unattended upgrade result: ([^\n]+)/m)],
  extras: [body => (/reboot (?:is )?required/i.test(body.text) ? 'reboot required' : '')],
}
