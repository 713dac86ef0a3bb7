import { randomInt } from 'node:crypto'
import type { CommandIo } from '#app/command-io.ts'
import { readLine } from '#app/commands/read-input.ts'
import { PASSWORD_LENGTH_MAX, PASSWORD_LENGTH_MIN } from '#contracts/bounds.ts'
import { invalid } from '#domain/problem.ts'

/** Base58: no two of its characters look alike on a screen. */
const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
/** 22 characters of this alphabet have 128 bits of entropy. */
const GENERATED_LENGTH = 22

export interface PasswordChosen {
  readonly password: string
  /** True: the command generated the password and must print it. */
  readonly isGenerated: boolean
}

/**
 * Reads a password from the first line of standard input, or generates one. @throws Problem INVALID_REQUEST
 */
export async function readPassword(io: CommandIo, fromStdin: boolean): Promise<PasswordChosen> {
  if (!fromStdin) return { password: generatePassword(), isGenerated: true }
  const password = await readLine(io, PASSWORD_LENGTH_MAX * 4)
  const issue = (message: string) => invalid([{ path: 'password', message }])
  if (password.length < PASSWORD_LENGTH_MIN)
    throw issue(`must have at least ${PASSWORD_LENGTH_MIN} characters`)
  if (password.length > PASSWORD_LENGTH_MAX)
    throw issue(`must have at most ${PASSWORD_LENGTH_MAX} characters`)
  return { password, isGenerated: false }
}

function generatePassword(): string {
  return Array.from({ length: GENERATED_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
}
