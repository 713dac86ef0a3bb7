import type { Body } from '#domain/alert/body.ts'
import type { Sender } from '#domain/alert/sender.ts'
import { cleanLine } from '#domain/alert/text/clean-text.ts'
import { readState } from '#domain/alert/vocabulary/states.ts'

const SUBJECT = /^(?:Subject: )?(vzdump backup status \([^()\n]+\): backup failed)$/m
/** A line of the log of a guest: `104: 2026-02-21 01:02:21 ERROR: Backup of VM 104 failed - …`. */
const ERROR_LINE = /^(\d+): \d{4}-\d\d-\d\d \d\d:\d\d:\d\d ERROR: ([^\n]+)$/gm
/** The row of a guest in the table: its number, its name and its state. */
const ROW = /^(\d+) +(\S+) +(?:err|error|failed)\b/gm

/** Proxmox's backup of virtual machines, if its log says why one failed: the machine and the first error. */
export const vzdump: Sender = {
  format: 'generic',
  matches: body => SUBJECT.test(body.text) && faultsOf(body).length > 0,
  state: ['severity', () => readState('failed')],
  subject: [body => body.match(SUBJECT)],
  reason: [faultsOf],
}

const ENDED = /^(?:Subject: )?(vzdump backup status \([^()\n]+\): backup successful)$/m

/** The same backup, once it ended well. Its table says no more. */
export const vzdumpEnd: Sender = {
  format: 'generic',
  matches: body => ENDED.test(body.text),
  state: [() => ({ word: '', kind: 'good', isSure: true })],
  subject: [body => body.match(ENDED)],
  reason: [],
}

/** `104 mail: mount failed`, one for each machine. */
function faultsOf({ text }: Body): readonly string[] {
  const names = new Map([...text.matchAll(ROW)].map(([, id = '', name = '']) => [id, name]))
  const faults = new Map<string, string>()
  for (const [, id = '', fault = ''] of text.matchAll(ERROR_LINE))
    if (!faults.has(id)) faults.set(id, cleanLine(fault.replace(/^Backup of VM \d+ failed - /, '')))
  return [...faults].map(([id, fault]) => `${`${id} ${names.get(id) ?? ''}`.trim()}: ${fault}`)
}
