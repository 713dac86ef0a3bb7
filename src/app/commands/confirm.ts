import type { CommandIo } from '#app/command-io.ts'
import { readLine } from '#app/commands/read-input.ts'

/** Bytes that are read of the answer. */
const ANSWER_BYTES_MAX = 64

/** Prints a question to standard error. True: standard input says `y` or `yes`; the end of input means no. */
export async function confirm(io: CommandIo, question: string): Promise<boolean> {
  io.stderr.write(question)
  return /^y(es)?$/i.test((await readLine(io, ANSWER_BYTES_MAX)).trim())
}
