/**
 * Folders for the databases of benches. Below ROOST_BENCH_DIR, else below the folder for temporary files. A
 * file system in memory is refused: there `fsync` costs nothing, so a durable send would look too good.
 */
import { closeSync, fsyncSync, mkdtempSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { quantile } from '#bench/load/quantiles.ts'

/** Magic numbers of statfs(2). */
const IN_MEMORY = new Set([0x01021994, 0x858458f6])
const NAMES: Readonly<Record<number, string>> = {
  61267: 'ext4',
  1481003842: 'xfs',
  2435016766: 'btrfs',
  2035054128: 'overlay',
}
const FSYNCS = 50

export function makeBenchFolder(name: string): string {
  const parent = process.env['ROOST_BENCH_DIR'] ?? tmpdir()
  if (IN_MEMORY.has(statfsSync(parent).type))
    throw new Error(`${parent} is in memory: set ROOST_BENCH_DIR to a folder on a disk`)
  return mkdtempSync(join(parent, `roost-${name}-`))
}

/** The file system of the benches, and how long it takes to append 4 KiB and sync them. */
export function describeDisk(): string {
  const folder = makeBenchFolder('disk')
  const { type } = statfsSync(folder)
  const file = openSync(join(folder, 'synced'), 'w')
  const tookMs = Array.from({ length: FSYNCS }, () => {
    const startedAt = performance.now()
    writeSync(file, Buffer.alloc(4096))
    fsyncSync(file)
    return performance.now() - startedAt
  })
  closeSync(file)
  rmSync(folder, { recursive: true })
  const [p50, p99] = [0.5, 0.99].map(share => quantile(tookMs, share).toFixed(2))
  const name = NAMES[type] ?? `file system 0x${type.toString(16)}`
  return `${name}, fsync of 4 KiB: p50 ${p50} ms, p99 ${p99} ms`
}
