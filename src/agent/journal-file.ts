/**
 * A file of JSON lines that survives kill -9 and a power cut: `append` returns when the line is on disk. A
 * last line without a line end is one that was being written when the power failed. It is removed, because
 * `append` had not returned. Any other damage is an error, because the lost line could be a message that
 * was sent.
 */
import {
  closeSync,
  existsSync,
  fdatasyncSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  renameSync,
  writeSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { AgentError, reasonOf } from '#agent/agent-error.ts'
import { syncFolder } from '#agent/identity.ts'

const NEWLINE = 0x0a

export class JournalFile {
  readonly #file: string
  #descriptor: number
  #isClosed = false
  #bytes: number

  private constructor(file: string, bytes: number) {
    this.#file = file
    this.#bytes = bytes
    this.#descriptor = openSync(file, 'a', 0o600)
    ftruncateSync(this.#descriptor, bytes)
    fsyncSync(this.#descriptor)
    syncFolder(dirname(file))
  }

  /** Opens the file and passes each parsed line to `take`, in order. @throws AgentError for a damaged file */
  static open(file: string, take: (record: unknown) => void): JournalFile {
    const content = existsSync(file) ? readFileSync(file) : Buffer.alloc(0)
    const bytes = content.lastIndexOf(NEWLINE) + 1
    const lines = content.subarray(0, bytes).toString('utf8').split('\n').slice(0, -1)
    for (const [index, line] of lines.entries()) {
      try {
        take(JSON.parse(line))
      } catch (error) {
        throw new AgentError(
          `The journal ${file} is damaged at line ${index + 1} (${reasonOf(error)}); move it away to start ` +
            'without it. The gateway then ends open messages as OUTCOME_UNKNOWN and repeats none.',
        )
      }
    }
    return new JournalFile(file, bytes)
  }

  get bytes(): number {
    return this.#bytes
  }

  /** Appends a line. It is on disk when this returns. */
  append(record: object): void {
    // The system may have given the number of a closed descriptor to another file.
    if (this.#isClosed) throw new AgentError(`The journal ${this.#file} is closed.`)
    const line = Buffer.from(`${JSON.stringify(record)}\n`)
    try {
      writeWhole(this.#descriptor, line)
      fdatasyncSync(this.#descriptor)
    } catch (error) {
      // Remove the partial line: the next start would report a partial line inside the file as damage.
      ftruncateSync(this.#descriptor, this.#bytes)
      throw new AgentError(`The journal ${this.#file} cannot be written: ${reasonOf(error)}.`)
    }
    this.#bytes += line.length
  }

  /** Replaces all lines by these records. After a crash the file is either the old one or the new one. */
  rewrite(records: Iterable<object>): void {
    const draft = `${this.#file}.new`
    const content = Buffer.from([...records].map(record => `${JSON.stringify(record)}\n`).join(''))
    const descriptor = openSync(draft, 'w', 0o600)
    try {
      writeWhole(descriptor, content)
      fsyncSync(descriptor)
    } finally {
      closeSync(descriptor)
    }
    renameSync(draft, this.#file)
    syncFolder(dirname(this.#file))
    closeSync(this.#descriptor)
    this.#descriptor = openSync(this.#file, 'a', 0o600)
    this.#bytes = content.length
  }

  close(): void {
    this.#isClosed = true
    closeSync(this.#descriptor)
  }
}

function writeWhole(descriptor: number, content: Buffer): void {
  let written = 0
  while (written < content.length) written += writeSync(descriptor, content, written)
}
