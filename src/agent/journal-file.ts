/**
 * A file of JSON lines that outlasts kill -9 and a power cut: `append` returns when the line is on disk. A
 * last line without its end was being written when the power went: nothing was promised on it, so it is cut
 * off. Damage anywhere else is not guessed at: a forgotten line could be a message that was already sent.
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

  /** Hands every whole line, parsed, to `take` in the order in which they were written. */
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
            'without it: the gateway then never learns how open messages ended, and repeats none.',
        )
      }
    }
    return new JournalFile(file, bytes)
  }

  get bytes(): number {
    return this.#bytes
  }

  /** On disk when it returns. */
  append(record: object): void {
    // The number of a closed descriptor may belong to another file by now.
    if (this.#isClosed) throw new AgentError(`The journal ${this.#file} is closed.`)
    const line = Buffer.from(`${JSON.stringify(record)}\n`)
    try {
      writeWhole(this.#descriptor, line)
      fdatasyncSync(this.#descriptor)
    } catch (error) {
      // Half a line in the middle of the file would be damage at the next start.
      ftruncateSync(this.#descriptor, this.#bytes)
      throw new AgentError(`The journal ${this.#file} cannot be written: ${reasonOf(error)}.`)
    }
    this.#bytes += line.length
  }

  /** Puts these records in the place of all that was written; a crash leaves the old file or the new one. */
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
