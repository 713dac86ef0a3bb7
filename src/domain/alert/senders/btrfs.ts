import type { Body } from '#domain/alert/body.ts'
import type { Sender } from '#domain/alert/sender.ts'
import { cleanLine } from '#domain/alert/text/clean-text.ts'
import { readState, type State } from '#domain/alert/vocabulary/states.ts'

/** A counter of `btrfs device stats`: `[/dev/sdb1].read_io_errs 37`. */
const COUNTER = /^\[(\S+)\]\.(\w+)_errs +(\d+)$/gm
/** btrfs' names of the counters, in words that a person uses. */
const KINDS: ReadonlyMap<string, string> = new Map([
  ['write_io', 'write'],
  ['read_io', 'read'],
  ['flush_io', 'flush'],
])

/** The output of `btrfs device stats`: the disks with errors, and of which kinds. */
export const btrfsStats: Sender = {
  format: 'generic',
  matches: body => body.text.search(COUNTER) >= 0,
  state: [body => readState(disksWithErrors(body).length > 0 ? 'error' : 'ok')],
  subject: [() => 'btrfs'],
  reason: [disksWithErrors, () => 'no errors'],
}

/** `/dev/sdb1 37 read, 12 corruption errors` */
function disksWithErrors({ text }: Body): readonly string[] {
  const disks = new Map<string, string[]>()
  for (const [, disk = '', kind = '', count = ''] of text.matchAll(COUNTER))
    if (Number(count) > 0)
      disks.set(disk, [...(disks.get(disk) ?? []), `${count} ${KINDS.get(kind) ?? kind}`])
  return [...disks].map(([disk, counts]) => `${disk} ${counts.join(', ')} errors`)
}

const STATUS = /^Status: +(\w+)$/m
const ABORTED: State = { word: 'ABORTED', kind: 'bad', severity: 'warning' }
const SUMMARY = /^Error summary: +(\S[^\n]*)$/m
const UNCORRECTABLE = /^ *Uncorrectable: +([1-9]\d*)$/m

/** The output of `btrfs scrub status`: what was wrong, and how much of it could not be corrected. */
export const btrfsScrub: Sender = {
  format: 'generic',
  matches: body => SUMMARY.test(body.text) && /^Scrub started:/m.test(body.text),
  state: [
    body => (UNCORRECTABLE.test(body.text) ? readState('error') : null),
    body => (summaryOf(body) === 'no errors found' ? null : readState('warning')),
    body => (body.match(STATUS) === 'aborted' ? ABORTED : readState(body.match(STATUS))),
  ],
  subject: [() => 'btrfs scrub'],
  reason: [
    body => {
      const count = body.match(UNCORRECTABLE)
      return count === '' ? summaryOf(body) : `${count} uncorrectable errors (${summaryOf(body)})`
    },
  ],
}

function summaryOf(body: Body): string {
  return cleanLine(body.match(SUMMARY))
}
