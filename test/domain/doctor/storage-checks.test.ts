import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY, DIR, findingsFor, HOUR, NOW, ROOST } from '#test/kit/healthy-machine.ts'

const disk = (change: object) => ({
  disk: { path: DIR, freeBytes: 9e9, freeFiles: 9, kind: 'disk', ...change },
})
const speed = (...timesMs: number[]) => ({ diskSpeed: { path: DIR, timesMs, fault: null } })
const card = (wornTenths: number | null, spareState: number | null) => ({
  cards: [{ device: '/dev/mmcblk0', name: 'SD64G', wornTenths, spareState }],
})
const files = (...all: object[]) => ({
  permissions: { path: DIR, owner: ROOST, canWrite: true, files: all },
})

for (const [name, change, expected] of [
  [
    'a secret that others can read, and a file of root',
    files(
      { path: 'a', mode: 0o640, owner: ROOST },
      { path: 'b', mode: 0o600, owner: { uid: 0, name: 'root' } },
    ),
    [
      'PERMISSIONS critical: b belongs to the user root, its folder to roost: the gateway cannot open it',
      'PERMISSIONS warning: a is open to other users (mode 640)',
    ],
  ],
  [
    'nothing about little free space, which is one of the gateway’s own problems',
    disk({ freeBytes: 1e6 }),
    [],
  ],
  [
    'data in memory',
    disk({ kind: 'memory' }),
    [`DISK warning: ${DIR} is in memory: it is lost when the machine restarts`],
  ],
  [
    'no room for another file',
    disk({ freeFiles: 0 }),
    ['DISK critical: The file system has no room for another file, although bytes may be free'],
  ],
  ['nothing about a disk without a limit on the number of files', disk({ freeFiles: null }), []],
  [
    'a slow disk',
    speed(150, 160, 2),
    ['DISK_SPEED warning: A synced write (fsync) takes 150 ms: every send waits for one'],
  ],
  [
    'a very slow disk',
    speed(1500, 1600, 2),
    ['DISK_SPEED critical: A synced write (fsync) takes 1500 ms: sends time out'],
  ],
  [
    'a read-only disk',
    { diskSpeed: { path: DIR, timesMs: [], fault: 'EROFS' } },
    ['DISK_SPEED critical: A synced write (fsync) failed: EROFS'],
  ],
  [
    'numbers with a zero that does not belong to them, and no others',
    {
      numbers: ['+3903331234567', '+390311234567', '+12025550100', '+371300000012345'].map(phoneNumber => ({
        place: 'The person Luigi',
        phoneNumber,
      })),
    },
    ['NUMBER warning: The person Luigi has the number +3903331234567, which does not exist'],
  ],
  ['a worn-out card', card(11, 1), ['CARD critical: The card SD64G (/dev/mmcblk0) is worn out']],
  [
    'a card without spare blocks',
    card(null, 3),
    ['CARD critical: The card SD64G (/dev/mmcblk0) is worn out'],
  ],
  [
    'a nearly worn-out card',
    card(9, 1),
    ['CARD warning: The card SD64G (/dev/mmcblk0) is nearly worn out: 90 % of its life is used'],
  ],
  [
    'a card that does not report its health',
    card(null, null),
    ['CARD unknown: The card SD64G (/dev/mmcblk0) does not report its health'],
  ],
  ['nothing without a card', { cards: [] }, []],
  ['no backups', { backup: { dir: '', places: [], dueAt: 0 } }, ['BACKUP warning: No backups are made']],
  [
    'a late backup, and a folder without a backup',
    {
      backup: {
        dir: 'a',
        places: [
          { dir: 'a', newestAt: NOW - 3 * DAY },
          { dir: 'b', newestAt: null },
        ],
        dueAt: NOW - 9 * HOUR,
      },
    },
    ['BACKUP warning: The newest backup in a is 3 days old', 'BACKUP warning: b has no backup'],
  ],
  [
    'nothing about a backup that has just become due',
    { backup: { dir: 'a', places: [{ dir: 'a', newestAt: NOW - DAY }], dueAt: NOW - 60_000 } },
    [],
  ],
] as readonly [string, object, readonly string[]][])
  test(`roost doctor reports ${name}`, () => assert.deepEqual(findingsFor(change), expected))
