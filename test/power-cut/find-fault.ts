import { mkdirSync, readFileSync } from 'node:fs'
import { CommitMark } from '#storage/commit-mark.ts'
import { type DataDirectory, dataDirectory } from '#storage/data-directory.ts'
import { openWritable } from '#storage/database.ts'
import { migrate } from '#storage/migrate.ts'
import { openStorage } from '#storage/open-storage.ts'
import { systemSource } from '#storage/source.ts'
import { testSettings } from '#test/kit/world.ts'
import { countOf, digestRows } from '#test/power-cut/digest-rows.ts'

/** What the process had acknowledged before the power cut. */
export interface Promised {
  /** The number of acknowledged commits; null: nothing was acknowledged. */
  readonly count: number | null
  /** The key that encrypts codes, as it was read. */
  readonly secret: Buffer | null
  /** The digest of all rows after each commit of the whole run, by the number of commits. */
  readonly digests: ReadonlyMap<number, string>
}

export interface Fault {
  readonly kind: 'corrupt' | 'lost' | 'not a state it was in' | 'misfire' | 'secret' | 'stuck'
  readonly words: string
}

/** Opens the files that a power cut left. @returns the fault, or the number of commits they contain */
export function findFault(folder: string, promised: Promised): Fault | number {
  mkdirSync(folder, { recursive: true })
  const directory = dataDirectory(folder)
  try {
    const found = lookAt(directory, promised)
    return typeof found === 'number' ? (goOn(directory) ?? found) : found
  } catch (error) {
    return { kind: 'corrupt', words: String(error) }
  }
}

function lookAt(directory: DataDirectory, promised: Promised): Fault | number {
  const database = openWritable(directory.database)
  const mark = new CommitMark(directory.commitMark)
  try {
    migrate(database)
    const verdict = database.prepare('PRAGMA integrity_check').all()
    const foreign = database.prepare('PRAGMA foreign_key_check').all()
    const words = JSON.stringify([...verdict, ...foreign])
    if (verdict[0]?.['integrity_check'] !== 'ok' || foreign.length > 0) return { kind: 'corrupt', words }
    const count = countOf(database)
    if (count < (promised.count ?? 0)) return { kind: 'lost', words: `${count} of ${promised.count} commits` }
    if (digestRows(database) !== promised.digests.get(count))
      return {
        kind: 'not a state it was in',
        words: `commit ${count}, after ${promised.count} known ${promised.digests.has(count)}`,
      }
    if (mark.highest > count) return { kind: 'misfire', words: `${mark.highest} marked, ${count} there` }
    if (promised.secret !== null && !promised.secret.equals(readFile(directory.codeKey)))
      return { kind: 'secret', words: 'the key that seals codes is not there' }
    return count
  } finally {
    database.close()
    mark.close()
  }
}

/** Opens the storage once more and runs a command. @returns the fault, if there is one */
function goOn(directory: DataDirectory): Fault | null {
  const storage = openStorage(directory, {
    settings: testSettings(),
    source: systemSource(new Uint8Array(32)),
    now: () => ({ wallMs: Date.UTC(2026, 0, 16), monoMs: 1_000_000 }),
    faulted: error => {
      throw error
    },
  })
  const { answers } = storage.batch.run([{ id: 0, name: 'gateway.check', input: {} }])
  storage.close()
  if (answers[0]?.ok && storage.lost === null) return null
  return { kind: 'stuck', words: `${JSON.stringify(answers)}, ${storage.lost?.messages} ended as unknown` }
}

function readFile(path: string): Buffer {
  try {
    return readFileSync(path)
  } catch {
    return Buffer.alloc(0)
  }
}
