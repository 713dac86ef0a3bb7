import type { Sender } from '#domain/alert/sender.ts'
import { joinWords, withPlace } from '#domain/alert/text/join-words.ts'
import { readState, type State } from '#domain/alert/vocabulary/states.ts'

const VDEV_STATE = /^ *state: (FAULTED|DEGRADED|UNAVAIL|REMOVED|SUSPENDED|OFFLINE)$/m
const ZFS_ERROR = /^ *class: (?:data|io|checksum|\w+_failure)$|\bwith [1-9]\d* errors?\b/m
const ZFS_DONE = /^ *class: \w+_finish$/m

/** ZED, the event daemon of ZFS: `eid`, `class`, `host`, `pool`, `vpath`, each on its own line. */
export const zed: Sender = {
  format: 'generic',
  matches: body => /^ *eid: \d+$/m.test(body.text) && /^ *class: \w+/m.test(body.text),
  state: [
    body => deviceState(body.match(VDEV_STATE)),
    body => (ZFS_ERROR.test(body.text) ? readState('error') : null),
    body => (ZFS_DONE.test(body.text) ? readState('completed') : null),
  ],
  subject: [
    'title',
    'subject',
    body =>
      joinWords(
        'ZFS',
        body
          .match(/^ *class: (\w+)/m)
          .replace(/_(?:finish|start|notify)$/, '')
          .replace(/_/g, ' '),
        withPlace('of', body.match(/^ *pool: (\S+)/m)),
        withPlace('on', body.match(/^ *host: (\S+)/m)),
      ),
  ],
  reason: [body => body.match(/^ *vpath: (\S+)/m), body => body.match(/^ *scan: ([^\n]+)/m)],
  extras: [body => body.match(/^ *devid: (\S+)/m)],
}

const BAD_DEVICE = /^[ \t]+(\S+) +((?:FAULTED|UNAVAIL|REMOVED|OFFLINE) +\d[^\n]*)$/gm

/** The output of `zpool status`: the pool, and its failed or missing devices. */
export const zpool: Sender = {
  format: 'generic',
  matches: body => /^ *pool: \S+$/m.test(body.text) && /^config:$/m.test(body.text) && !zed.matches(body),
  state: [body => deviceState(body.match(VDEV_STATE))],
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

/** ZFS's word for the state of a device. Any that is not in the vocabulary is critical. */
function deviceState(word: string): State | null {
  return word === '' ? null : (readState(word) ?? { word, kind: 'bad', severity: 'critical' })
}
