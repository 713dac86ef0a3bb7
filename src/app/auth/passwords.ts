import type { Pool } from '#contracts/pool-tasks.ts'

/** Hashes and checks passwords (scrypt). */
export interface Passwords {
  hash(password: string): Promise<string>
  /** `stored` null: compares with a dummy hash, so that timing does not show whether the account exists. */
  verify(password: string, stored: string | null): Promise<boolean>
}

/** No password has this hash. It has the same scrypt parameters as all hashes, so a check takes as long. */
export const DUMMY_HASH =
  '$scrypt$ln=15,r=8,p=3$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'

/** Hashes and compares passwords in the pool, because hashing would block this thread. */
export function passwordsOf(pool: Pool): Passwords {
  return {
    hash: password => pool.run('hash-password', { password }),
    async verify(password, stored) {
      const isRight = await pool.run('verify-password', { password, hash: stored ?? DUMMY_HASH })
      return isRight && stored !== null
    },
  }
}
