import type { CommandIo } from '#app/command-io.ts'
import { readLine } from '#app/commands/read-input.ts'

/** More than a person types as an answer. */
const ANSWER_BYTES_MAX = 64

/** Asks on standard error; true for `y` or `yes` on standard input. End of input means no. */
export async function confirm(io: CommandIo, question: string): Promise<boolean> {
  io.stderr.write(question)
  return /^y(es)?$/i.test((await readLine(io, ANSWER_BYTES_MAX)).trim())
}
