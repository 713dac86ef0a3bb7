import type { CommandIo } from '#app/command-io.ts'
import { readLine } from '#app/commands/read-input.ts'

/** What a person types to a question, and more than that. */
const ANSWER_BYTES_MAX = 64

/** Asks on standard error; true for `y` or `yes` on standard input. Its end without a word is a no. */
export async function confirm(io: CommandIo, question: string): Promise<boolean> {
  io.stderr.write(question)
  return /^y(es)?$/i.test((await readLine(io, ANSWER_BYTES_MAX)).trim())
}
