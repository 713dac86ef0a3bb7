import type { Sender } from '#domain/alert/sender.ts'
import { isFaultLine } from '#domain/alert/text/fault-line.ts'
import { readState } from '#domain/alert/vocabulary/states.ts'

const COUNTS = /^\d+ Scanned, \d+ Updated, [1-9]\d* Failed$|^Session done: Failed=[1-9]/m

/** Watchtower's log of a run in which an update failed: the lines that say so. */
export const watchtower: Sender = {
  format: 'generic',
  matches: body => COUNTS.test(body.text) && body.lines('message').some(isFailure),
  state: [() => readState('failed')],
  reason: [body => body.lines('message').filter(isFailure)],
}

/** A failure in the log. The default report has a list instead, which needs its counts. */
function isFailure(line: string): boolean {
  return isFaultLine(line) && !/^\d+ Scanned|^Session done|: Failed: /.test(line)
}

/** What's up Docker: the container, and its old and new version. */
export const newImage: Sender = {
  format: 'generic',
  matches: body => body.raw('name') !== '' && body.has('updateKind.kind') && body.has('watcher'),
  state: [],
  subject: [body => `Update for ${body.line('name')}`],
  reason: [
    body =>
      body.raw('updateKind.kind') === 'digest'
        ? `new image for ${body.line('image.tag.value')}`
        : `${body.line('updateKind.localValue')} -> ${body.line('updateKind.remoteValue')}`,
  ],
}
