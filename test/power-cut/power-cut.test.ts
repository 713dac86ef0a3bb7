import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { HANGS_AFTER_MS } from '#test/kit/patience.ts'
import { Random } from '#test/kit/random.ts'
import { straceMissing } from '#test/kit/strace.ts'
import { sized } from '#test/kit/test-size.ts'
import { Disk } from '#test/power-cut/disk.ts'
import { cutPower, faultsByKind } from '#test/power-cut/power-cut.ts'
import { recordTrace } from '#test/power-cut/record-trace.ts'

const options = { timeout: HANGS_AFTER_MS, skip: straceMissing() }
const CUTS = sized(100, 500)
const newSeed = () => Math.floor(Math.random() * 2 ** 32)

suite('a power cut at any moment', () => {
  test('leaves an intact database with everything that was acknowledged', options, async t => {
    const seed = newSeed()
    t.diagnostic(`seed ${seed}`)
    const recording = await recordTrace({ synchronous: null, seed, batches: 25, lives: 2 })
    const { faults, promised, ahead } = cutPower(recording, { cuts: CUTS, seed })
    t.diagnostic(
      `${recording.calls.length} calls, ${promised} cuts after a promise, ${ahead} with more there`,
    )
    assert.deepEqual(faults, [])
    assert.equal(promised, 0.9 * CUTS)
    assert.ok(ahead > 0, 'some cuts fell between a commit and its promise')
  })

  test('with synchronous=NORMAL loses acknowledged commits', options, async t => {
    const seed = newSeed()
    t.diagnostic(`seed ${seed}`)
    const recording = await recordTrace({ synchronous: 'NORMAL', seed, batches: 15, lives: 1 })
    // A misfire is a loss, too: of a commit that was marked and not yet acknowledged.
    const { lost = 0, misfire = 0, ...others } = faultsByKind(cutPower(recording, { cuts: 100, seed }))
    t.diagnostic(`${lost + misfire} of 100 cuts lost something`)
    assert.ok(lost > 10)
    assert.deepEqual(others, {}, 'the remaining data is intact')
  })

  test('with synchronous=OFF corrupts the database', options, async t => {
    const seed = newSeed()
    t.diagnostic(`seed ${seed}`)
    const recording = await recordTrace({ synchronous: 'OFF', seed, batches: 15, lives: 1 })
    const { corrupt = 0 } = faultsByKind(cutPower(recording, { cuts: 100, seed }))
    t.diagnostic(`${corrupt} of 100 cuts corrupted it`)
    assert.ok(corrupt > 5)
  })
})

suite('the disk that loses power', () => {
  const path = '/data/file'
  const write = (at: number, text: string) =>
    ({ kind: 'write', file: 1, at, data: Buffer.from(text) }) as const

  /** All contents of the file that a thousand cuts leave; `-` means no file. */
  function left(disk: Disk): Set<string> {
    return new Set(
      Array.from({ length: 1000 }, (_, seed) => disk.cut(new Random(seed)).get(path)?.toString() ?? '-'),
    )
  }

  function diskWith(first: string): Disk {
    const disk = new Disk('/data')
    disk.apply({ kind: 'name', path, file: 1 })
    disk.apply(write(0, first))
    return disk
  }

  test('may lose a synced file whose directory was not synced', () => {
    const disk = diskWith('one')
    disk.apply({ kind: 'sync', file: 1 })
    assert.deepEqual(left(disk), new Set(['-', 'one']))
    disk.apply({ kind: 'sync-directory', path: '/data' })
    assert.deepEqual(left(disk), new Set(['one']))
  })

  test('may keep any write after the last sync, in order within each sector', () => {
    const [low, high] = ['a'.repeat(512), 'b'.repeat(512)]
    const disk = diskWith(low + low)
    disk.apply({ kind: 'sync-directory', path: '/data' })
    disk.apply({ kind: 'sync', file: 1 })
    disk.apply(write(0, high + high))
    assert.deepEqual(left(disk), new Set([low + low, low + high, high + low, high + high]))
    disk.apply(write(0, 'c'))
    const first = new Set([...left(disk)].map(text => text.slice(0, 2)))
    assert.deepEqual(
      first,
      new Set(['aa', 'bb', 'cb']),
      'a sector never has the second write without the first',
    )
  })
})
