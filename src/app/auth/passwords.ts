import { PASSWORD_MS_MAX } from '#contracts/bounds.ts'
import type { Pool } from '#contracts/pool-tasks.ts'

export interface Passwords {
  hash(password: string): Promise<string>
  /** `stored` null: compares with a dummy hash, so that timing does not show whether the account exists. */
  verify(password: string, stored: string | null): Promise<boolean>
}

/** Made with the same parameters as all others, so that comparing takes the same time. */
export const NOBODYS_HASH =
  '$scrypt$ln=15,r=8,p=3$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'

/** Hashes and compares passwords in the pool, because that would block this thread. */
export function passwordsOf(pool: Pool): Passwords {
  const options = { timeoutMs: PASSWORD_MS_MAX }
  return {
    hash: password => pool.run('hash-password', { password }, options),
    async verify(password, stored) {
      const right = await pool.run('verify-password', { password, hash: stored ?? NOBODYS_HASH }, options)
      return right && stored !== null
    },
  }
}
