/** Cuts the power of a recorded run at seeded random moments, and opens the storage on what is left. */
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { dataDirectory } from '#storage/data-directory.ts'
import { Random } from '#test/kit/random.ts'
import { Disk } from '#test/power-cut/disk.ts'
import { type Fault, findFault, type Promised } from '#test/power-cut/find-fault.ts'
import type { Recording } from '#test/power-cut/record-trace.ts'
import type { Said } from '#test/power-cut/said.ts'

export interface PowerCuts {
  readonly cuts: number
  readonly seed: number
}

export interface Outcome {
  readonly faults: readonly Fault[]
  /** The number of cuts after the first acknowledged commit. */
  readonly promised: number
  /** The number of cuts that left more commits than were acknowledged. */
  readonly ahead: number
}

/** An in-memory file system, if the machine has one. */
const SHM = '/dev/shm'

export function cutPower({ root, dataDir, calls }: Recording, { cuts, seed }: PowerCuts): Outcome {
  const folder = mkdtempSync(join(existsSync(SHM) ? SHM : tmpdir(), 'roost-power-cut-'))
  const digests = new Map<number, string>()
  for (const call of calls) if (call.kind === 'said') digests.set(countIn(call.line), digestIn(call.line))
  const draw = new Random(seed)
  // One cut in ten falls before the first promise. The first start makes a large part of all calls.
  const first = calls.findIndex(call => call.kind === 'said')
  const draws = Array.from({ length: cuts }, (_, index) =>
    index % 10 === 0 ? draw.below(first + 1) : first + 1 + draw.below(calls.length - first),
  )
  const moments = draws.sort((a, b) => a - b)
  const disk = new Disk(root)
  const secret = dataDirectory(dataDir).codeKey
  const faults: Fault[] = []
  let [at, promised, ahead] = [0, 0, 0]
  let last: Promised = { count: null, secret: null, digests }
  try {
    for (const [index, moment] of moments.entries()) {
      for (; at < moment; at++) {
        const call = calls[at]
        if (call?.kind === 'said') last = { ...last, count: countIn(call.line), secret: disk.read(secret) }
        else if (call !== undefined) disk.apply(call)
      }
      const there = join(folder, String(index))
      lay(disk.cut(new Random(seed + index)), path => join(there, relative(dataDir, path)))
      const found = findFault(there, last)
      rmSync(there, { recursive: true, force: true })
      if (last.count !== null) promised++
      if (typeof found === 'number') ahead += found > (last.count ?? 0) ? 1 : 0
      else faults.push({ ...found, words: `cut ${index} of seed ${seed}, at call ${moment}: ${found.words}` })
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  return { faults, promised, ahead }
}

export function faultsByKind({ faults }: Outcome): Partial<Record<Fault['kind'], number>> {
  const kinds: Partial<Record<Fault['kind'], number>> = {}
  for (const { kind } of faults) kinds[kind] = (kinds[kind] ?? 0) + 1
  return kinds
}

function lay(files: ReadonlyMap<string, Buffer>, to: (path: string) => string): void {
  for (const [path, bytes] of files) {
    const file = to(path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, bytes)
  }
}

function countIn(line: string): number {
  return (JSON.parse(line) as Said).count
}

function digestIn(line: string): string {
  return (JSON.parse(line) as Said).digest
}
