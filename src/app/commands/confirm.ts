import type { CommandIo } from '#app/command-io.ts'
import { readLine } from '#app/commands/read-input.ts'

/** At most this many bytes of the answer are read. */
const ANSWER_BYTES_MAX = 64

/** Asks on standard error. Returns true if standard input answers `y` or `yes`; the end of input means no. */
export async function confirm(io: CommandIo, question: string): Promise<boolean> {
  io.stderr.write(question)
  return /^y(es)?$/i.test((await readLine(io, ANSWER_BYTES_MAX)).trim())
}
