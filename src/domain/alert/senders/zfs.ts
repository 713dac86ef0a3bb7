import type { Body } from '#domain/alert/body.ts'
import type { Sender } from '#domain/alert/sender.ts'
import { joinWords, withPlace } from '#domain/alert/text/join-words.ts'
import { readState, type State } from '#domain/alert/vocabulary/states.ts'

const POOL = /^ *pool: (\S+)/m
const VDEV_STATE = /^ *state: (FAULTED|DEGRADED|UNAVAIL|REMOVED|SUSPENDED|OFFLINE)$/m
const ZFS_ERROR = /^ *class: (?:data|io|checksum|\w+_failure)$|\bwith [1-9]\d* errors?\b/m
/** ZFS writes this line if something is wrong, and as advice about a pool of an older version. */
const ZFS_STATUS = /^ *status: (?!Some supported |The pool is formatted using )([^\n]+)/m
const UNREPAIRED = /^ *scan: ([^\n]*? with [1-9]\d* errors?)\b/m
const ZFS_DONE = /^ *class: \w+_finish$/m

/** ZED, the event daemon of ZFS: `eid`, `class`, `host`, `pool`, `vpath`, each on its own line. */
export const zed: Sender = {
  format: 'generic',
  matches: body => /^ *eid: \d+$/m.test(body.text) && /^ *class: \w+/m.test(body.text),
  state: [
    body => deviceState(body.match(VDEV_STATE)),
    body => (ZFS_ERROR.test(body.text) ? readState('error') : null),
    body => (ZFS_STATUS.test(body.text) ? readState('warning') : null),
    body => (ZFS_DONE.test(body.text) ? readState('completed') : null),
  ],
  subject: [
    // Some versions write the pool's number into the subject.
    body => body.title.replace(/\bpool 0x[0-9A-F]{8,}/i, withPlace('pool', body.match(POOL))),
    body =>
      joinWords(
        'ZFS',
        eventOf(body),
        withPlace('of', body.match(POOL)),
        withPlace('on', body.match(/^ *host: (\S+)/m)),
      ),
  ],
  reason: [
    body => body.match(/^ *vpath: (\S+)/m),
    // Errors that a scrub could not repair come first.
    body => [body.match(UNREPAIRED), ...devicesWithErrors(body)].filter(text => text !== ''),
    body => body.match(/^ *scan: ([^\n]+)/m),
  ],
  extras: [body => body.match(/^ *devid: (\S+)/m)],
}

/** What happened: `scrub` for the class `scrub_finish`, `checksum error` for the class `checksum`. */
function eventOf(body: Body): string {
  const kind = body.match(/^ *class: (\w+)/m)
  const event = kind.replace(/_(?:finish|start|notify)$/, '').replace(/_/g, ' ')
  return /^(?:data|io|checksum)$/.test(kind) ? `${event} error` : event
}

/** A disk in the list of a pool, with its state and, for a disk that is gone, its former name. */
const BAD_DEVICE = /^[ \t]+(\S+) +(FAULTED|UNAVAIL|REMOVED|OFFLINE) +\d[^\n]*?(?: was (\S+))?$/gm
/** The lines of the same list with its three counters: read, write and checksum errors. */
const COUNTED_DEVICE = /^[ \t]+(\S+) +[A-Z]+ +([\d.]+[KMG]?) +([\d.]+[KMG]?) +([\d.]+[KMG]?)(?!\S)/gm
const KINDS = ['read', 'write', 'checksum']

/** The output of `zpool status`: the pool, and its failed or missing devices. */
export const zpool: Sender = {
  format: 'generic',
  matches: body => /^ *pool: \S+$/m.test(body.text) && /^config:$/m.test(body.text) && !zed.matches(body),
  state: [body => deviceState(body.match(VDEV_STATE))],
  subject: [body => `ZFS pool ${body.match(/^ *pool: (\S+)$/m)}`],
  reason: [
    body =>
      [...body.text.matchAll(BAD_DEVICE)].map(([, disk = '', state = '', was = disk]) => `${was} ${state}`),
    devicesWithErrors,
    body => body.match(ZFS_STATUS),
    body => body.match(/^ *state: (\S+)$/m),
  ],
}

/** `sda 11 checksum errors`: the disks for which ZFS has counted errors. */
function devicesWithErrors(body: Body): readonly string[] {
  return [...body.text.matchAll(COUNTED_DEVICE)].flatMap(([, disk = '', ...counters]) => {
    const errors = counters.flatMap((count, kind) =>
      Number.parseFloat(count) > 0 ? `${count} ${KINDS[kind]} errors` : [],
    )
    return errors.length === 0 ? [] : `${disk} ${errors.join(', ')}`
  })
}

/** ZFS's word for the state of a device. Any that is not in the vocabulary is critical. */
function deviceState(word: string): State | null {
  return word === '' ? null : (readState(word) ?? { word, kind: 'bad', severity: 'critical' })
}
