import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bundled } from '#test/kit/bundle.ts'
import { start } from '#test/kit/program.ts'
import type { ChildInput } from '#test/power-cut/storage-child.program.ts'
import { type Call, TRACED, TraceReader } from '#test/power-cut/trace.ts'

const CHILD = bundled('storage-child')

export interface Recording {
  /** The directory that exists before the run. */
  readonly root: string
  readonly dataDir: string
  readonly calls: readonly Call[]
}

export interface Lives extends Pick<ChildInput, 'synchronous' | 'seed' | 'batches'> {
  /** How many processes run one after another. Each except the last one ends by SIGKILL. */
  readonly lives: number
}

/** Runs the storage under `strace`. @returns what it did to its files */
export async function recordTrace({ lives, ...given }: Lives): Promise<Recording> {
  const folder = mkdtempSync(join(tmpdir(), 'roost-trace-'))
  const dataDir = join(folder, 'data')
  const reader = new TraceReader(folder)
  try {
    for (let life = 1; life <= lives; life++) {
      const input: ChildInput = {
        ...given,
        dataDir,
        seed: given.seed + life,
        end: life < lives ? 'SIGKILL' : 'close',
      }
      const output = join(folder, `trace-${life}`)
      // Only the main thread is traced. It makes all calls, so the trace has their true order.
      const options = ['-xx', '-s', '2000000', '-e', `trace=${TRACED.join(',')}`, '-o', output]
      const command = ['strace', ...options, process.execPath, CHILD, JSON.stringify(input)]
      const program = start(command, { cwd: folder })
      const end = await program.ended
      if (end !== (input.end === 'SIGKILL' ? 'SIGKILL' : 0))
        throw new Error(`the storage ended with ${end}: ${program.stderr.text}`)
      reader.read(readFileSync(output, 'latin1'))
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  return { root: folder, dataDir, calls: reader.calls }
}
