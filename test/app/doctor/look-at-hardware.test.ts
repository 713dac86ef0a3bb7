import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { lookAtCards, lookAtClock, lookAtMemory } from '#app/doctor/look-at-hardware.ts'
import { temporaryDirectory } from '#test/kit/temporary-directory.ts'

/** A folder with files that stand in for those of the kernel below /proc and /sys. */
function kernel(t: TestContext, files: Readonly<Record<string, string>>): string {
  const root = temporaryDirectory(t)
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  return root
}

const MEMINFO = 'MemTotal:  1000000 kB\nMemFree:  1 kB\nMemAvailable:   400000 kB\n'

test('eMMC reports its wear, an SD card does not, and partitions are not listed as cards', t => {
  const root = kernel(t, {
    '/sys/block/mmcblk0/device/name': 'BJTD4R\n',
    '/sys/block/mmcblk0/device/life_time': '0x02 0x09\n',
    '/sys/block/mmcblk0/device/pre_eol_info': '0x01\n',
    '/sys/block/mmcblk0boot0/size': '1',
    '/sys/block/mmcblk1/device/name': 'SD64G\n',
    '/sys/block/sda/size': '1',
  })
  assert.deepEqual(lookAtCards(root), [
    { device: '/dev/mmcblk0', name: 'BJTD4R', wornTenths: 9, spareState: 1 },
    { device: '/dev/mmcblk1', name: 'SD64G', wornTenths: null, spareState: null },
  ])
  assert.ok('unreadable' in lookAtCards(kernel(t, {})))
})

test('the memory and the lowest limit of control groups version 2 are read', t => {
  const root = kernel(t, {
    '/proc/meminfo': MEMINFO,
    '/proc/7/cgroup': '0::/system.slice/roost.service\n',
    '/sys/fs/cgroup/system.slice/memory.max': '201326592\n',
    '/sys/fs/cgroup/system.slice/roost.service/memory.max': 'max\n',
    '/sys/fs/cgroup/system.slice/roost.service/memory.events': 'low 0\noom 3\noom_kill 2\n',
  })
  const sizes = { availableBytes: 409_600_000, totalBytes: 1_024_000_000 }
  assert.deepEqual(lookAtMemory(7, root), { ...sizes, limitBytes: 201_326_592, kills: 2 })
  assert.deepEqual(lookAtMemory(null, root), { ...sizes, limitBytes: null, kills: null })
})

test('the limit of control groups version 1 is read, where a huge number means no limit', t => {
  const group = '/sys/fs/cgroup/memory/box'
  const files = { '/proc/meminfo': MEMINFO, '/proc/7/cgroup': '4:memory:/box\n0::/\n' }
  const limited = kernel(t, { ...files, [`${group}/memory.limit_in_bytes`]: '134217728\n' })
  const free = kernel(t, { ...files, [`${group}/memory.limit_in_bytes`]: '9223372036854771712\n' })
  const limitOf = (root: string) => (lookAtMemory(7, root) as { limitBytes: number | null }).limitBytes
  assert.deepEqual([limitOf(limited), limitOf(free)], [134_217_728, null])
})

test('a clock that was set since the gateway started is reported with the difference', t => {
  const start = [...Array(18).fill('0'), '360000', ...Array(9).fill('0')].join(' ')
  const root = kernel(t, { '/proc/uptime': '7200.00 1.00\n', '/proc/7/stat': `7 (a (b) c) S ${start}` })
  // Up for two hours, the process for one of them.
  const now = Date.UTC(2026, 0, 1)
  const ask = (startedAt: number, said: string | null) =>
    lookAtClock({ now, running: { pid: 7, startedAt }, root, askTime: () => said })
  assert.deepEqual(ask(now - 3_590_000, 'NTPSynchronized=yes\n'), {
    isSynchronised: true,
    steppedMs: -10_000,
  })
  assert.deepEqual(ask(0, 'NTPSynchronized=no\n'), { isSynchronised: false, steppedMs: now - 3_600_000 })
  assert.deepEqual(lookAtClock({ now, running: null, root, askTime: () => null }), {
    isSynchronised: null,
    steppedMs: null,
  })
})
