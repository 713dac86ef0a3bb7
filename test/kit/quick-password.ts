import { hashPassword } from '#pool/tasks/hash-password.ts'

/** A hash as the gateway keeps them, at a thousandth of its cost; it is verified like any other. */
export function quickPasswordHash(password: string): Promise<string> {
  return hashPassword(password, { logN: 5, parallelism: 1 })
}
