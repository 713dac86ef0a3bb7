import type { Sender } from '#domain/alert/sender.ts'
import { joinWords, withPlace } from '#domain/alert/text/join-words.ts'
import { readState } from '#domain/alert/vocabulary/states.ts'
import { wordTable } from '#domain/alert/vocabulary/word-table.ts'

const ARRAY_EVENTS = wordTable({
  fail: 'failed',
  failspare: 'failed',
  degradedarray: 'degraded',
  devicedisappeared: 'missing',
  sparesmissing: 'warning',
  testmessage: 'test',
  rebuildstarted: 'started',
  rebuildfinished: 'completed',
  spareactive: 'restored',
  newarray: 'created',
})
/** Words for events whose state alone does not say what happened. */
const ARRAY_WORK = wordTable({
  sparesmissing: 'spares missing',
  rebuildstarted: 'rebuild',
  rebuildfinished: 'rebuild',
  spareactive: 'spare active',
})
const ARRAY_EVENT = /\bA (\w+) event ha[ds] been detected on md device|^(?:Subject: )?(\w+) event on \/dev\//m
/** A finished check found blocks that differ between the disks. */
const MISMATCHES = /component device +(mismatches found: \d+)/
const ARRAY = /\bon (?:md device )?(\/dev\/md[\w/-]+)/

/** mdadm's monitor: the event, the array, and the disk if the mail names one. */
export const mdadm: Sender = {
  format: 'generic',
  matches: body => ARRAY_EVENT.test(body.text) && ARRAY.test(body.text),
  state: [
    body => (MISMATCHES.test(body.text) ? readState('warning') : null),
    body => readState(ARRAY_EVENTS[body.match(ARRAY_EVENT).toLowerCase()] ?? ''),
  ],
  subject: [
    body =>
      joinWords(body.match(ARRAY), withPlace('on', body.match(/^running on (\S+)|event on \S+:(\S+)$/m))),
  ],
  reason: [
    body => body.match(MISMATCHES),
    body =>
      withPlace(
        body.match(ARRAY_EVENT) === 'FailSpare' ? 'spare' : 'component',
        body.match(/component device (\/[^\s,]+?)\.?$/m),
      ),
    body => ARRAY_WORK[body.match(ARRAY_EVENT).toLowerCase()] ?? '',
    body => body.match(/^(md[\w]+ : [^\n]+)$/m),
  ],
  extras: [body => body.match(/(\[\d+\/\d+\] \[[U_]+\])/)],
}

const FAILED_ARRAY = /^md\w+ : (?:[^\n]*\(F\)|[^\n]*\n[^\n]*\[U*_[U_]*\])[^\n]*/m

/** The content of `/proc/mdstat`: the arrays with a missing or failed disk, or all if there is none. */
export const mdstat: Sender = {
  format: 'generic',
  matches: body =>
    /^Personalities : /m.test(body.text) && /^md\w+ : /m.test(body.text) && !mdadm.matches(body),
  state: [body => (FAILED_ARRAY.test(body.text) ? readState('degraded') : null)],
  reason: [
    body => {
      const arrays = body.text.match(/^md\w+ : [^\n]+(?:\n +[^\n]+)*/gm) ?? []
      const failed = arrays.filter(array => FAILED_ARRAY.test(array))
      return (failed.length > 0 ? failed : arrays).map(array => {
        const [head = ''] = array.split('\n')
        const disks = /\[\d+\/\d+\] \[[U_]+\]/.exec(array)?.[0] ?? ''
        const work = /\b(?:recovery|resync|check) *= *[\d.]+%/.exec(array)?.[0] ?? ''
        return joinWords(head, disks, work)
      })
    },
  ],
}
