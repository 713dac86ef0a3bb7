import type { Sender } from '#domain/alert/sender.ts'
import { readState, type State } from '#domain/alert/vocabulary/states.ts'

const SMART_FAULT =
  /^(?:[^\n]{0,60}smartd\[\d+\]: )?(?:TEST EMAIL from smartd for device|Device): (\/[^\n]+)/m
const SMART_KIND = /\bSMART error \((\w+)\)/
const SMART_HOST = /^[ \t]*host(?: name)?: +(\S+)|detected on host: (\S+)/m

/** smartd: the mail of its warning script, or its line in the log. */
const smartd: Sender = {
  format: 'generic',
  matches: body => /\bsmartd\b|\bSMART error\b/.test(body.text) && SMART_FAULT.test(body.text),
  state: [
    body => (/EmailTest|^TEST EMAIL/m.test(body.text) ? readState('test') : null),
    () => readState('error'),
  ],
  subject: [body => join('SMART', body.match(SMART_KIND), at('on', body.match(SMART_HOST)))],
  reason: [body => body.match(SMART_FAULT)],
}

/** Scrutiny's webhook: which disk of which machine failed. */
const scrutiny: Sender = {
  format: 'generic',
  matches: body => body.has('failure_type') && body.has('device_name'),
  state: [
    body => (body.at('test') === true || /\bTest\b/.test(body.title) ? readState('test') : null),
    () => readState('failed'),
  ],
  subject: [body => join('SMART', at('on', body.match(/^Host Id: (\S+)/m)))],
  reason: ['device_name'],
  extras: ['device_serial'],
}

const VDEV_STATE = /^ *state: (FAULTED|DEGRADED|UNAVAIL|REMOVED|SUSPENDED|OFFLINE)$/m
const ZFS_ERROR = /^ *class: (?:data|io|checksum|\w+_failure)$|\bwith [1-9]\d* errors?\b/m
const ZFS_DONE = /^ *class: \w+_finish$/m

/** ZED, the event daemon of ZFS: `eid`, `class`, `host`, `pool`, `vpath`, one a line. */
const zed: Sender = {
  format: 'generic',
  matches: body => /^ *eid: \d+$/m.test(body.text) && /^ *class: \w+/m.test(body.text),
  state: [
    body => named(body.match(VDEV_STATE)),
    body => (ZFS_ERROR.test(body.text) ? readState('error') : null),
    body => (ZFS_DONE.test(body.text) ? readState('completed') : null),
  ],
  subject: [
    'title',
    'subject',
    body =>
      join(
        'ZFS',
        body
          .match(/^ *class: (\w+)/m)
          .replace(/_(?:finish|start|notify)$/, '')
          .replace(/_/g, ' '),
        at('of', body.match(/^ *pool: (\S+)/m)),
        at('on', body.match(/^ *host: (\S+)/m)),
      ),
  ],
  reason: [body => body.match(/^ *vpath: (\S+)/m), body => body.match(/^ *scan: ([^\n]+)/m)],
  extras: [body => body.match(/^ *devid: (\S+)/m)],
}

const ARRAY_EVENTS: Readonly<Record<string, string>> = {
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
}
/** What such an event says beside its state. */
const ARRAY_WORK: Readonly<Record<string, string>> = {
  sparesmissing: 'spares missing',
  rebuildstarted: 'rebuild',
  rebuildfinished: 'rebuild',
  spareactive: 'spare active',
}
const ARRAY_EVENT = /\bA (\w+) event ha[ds] been detected on md device|^(?:Subject: )?(\w+) event on \/dev\//m
const ARRAY = /\bon (?:md device )?(\/dev\/md[\w/-]+)/

/** mdadm's monitor: which event on which array, and the disk that it may be about. */
const mdadm: Sender = {
  format: 'generic',
  matches: body => ARRAY_EVENT.test(body.text) && ARRAY.test(body.text),
  state: [body => readState(ARRAY_EVENTS[body.match(ARRAY_EVENT).toLowerCase()] ?? '')],
  subject: [body => join(body.match(ARRAY), at('on', body.match(/^running on (\S+)|event on \S+:(\S+)$/m)))],
  reason: [
    body => at('component', body.match(/component device ([^\s,]+?)\.?$/m)),
    body => ARRAY_WORK[body.match(ARRAY_EVENT).toLowerCase()] ?? '',
    body => body.match(/^(md[\w]+ : [^\n]+)$/m),
  ],
  extras: [body => body.match(/(\[\d+\/\d+\] \[[U_]+\])/)],
}

const FAILED_ARRAY = /^md\w+ : (?:[^\n]*\(F\)|[^\n]*\n[^\n]*\[U*_[U_]*\])[^\n]*/m

/** `/proc/mdstat` as it is: the arrays with a missing disk, else all. */
const mdstat: Sender = {
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
        return join(head, disks, work)
      })
    },
  ],
}

const BAD_DEVICE = /^[ \t]+(\S+) +((?:FAULTED|UNAVAIL|REMOVED|OFFLINE) +\d[^\n]*)$/gm

/** `zpool status` as it is: the pool, and the devices that are not online. */
const zpool: Sender = {
  format: 'generic',
  matches: body => /^ *pool: \S+$/m.test(body.text) && /^config:$/m.test(body.text) && !zed.matches(body),
  state: [body => named(body.match(VDEV_STATE))],
  subject: [body => `ZFS pool ${body.match(/^ *pool: (\S+)$/m)}`],
  reason: [
    body =>
      [...body.text.matchAll(BAD_DEVICE)].map(
        ([, disk = '', state = '']) => `${disk} ${state.split(' ')[0]}`,
      ),
    body => body.match(/^status: ([^\n]+)/m),
    body => body.match(/^ *state: (\S+)$/m),
  ],
}

export const diskHealth: readonly Sender[] = [smartd, scrutiny, zed, zpool, mdadm, mdstat]

/** ZFS's own words for the state of a device. */
function named(word: string): State | null {
  return word === '' ? null : (readState(word) ?? { word, kind: 'bad', severity: 'critical' })
}

function at(word: string, place: string): string {
  return place === '' ? '' : `${word} ${place}`
}

function join(...parts: readonly string[]): string {
  return parts.filter(part => part !== '').join(' ')
}
