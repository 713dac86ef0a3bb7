/**
 * Hashes passwords with scrypt. A hash is stored as `$scrypt$ln=15,r=8,p=3$salt$hash`, with salt and hash in
 * base64 without padding. Hashing takes 32 MiB and about 0.4 s on a Raspberry Pi. So only one password is
 * hashed at a time, and never on a thread that answers requests.
 *
 * @see RFC 7914
 */
import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto'

/** The cost parameters of scrypt: 2^`logN` blocks of 1 KiB, `parallelism` times. */
interface PasswordCost {
  readonly logN: number
  readonly parallelism: number
}

const COST: PasswordCost = { logN: 15, parallelism: 3 }
const BLOCK_SIZE = 8
const SALT_BYTES = 16
const HASH_BYTES = 32
/** Limits of stored parameters, so that a hash from elsewhere cannot use up memory or processor. */
const LOG_N_MAX = 17
const PARALLELISM_MAX = 8
const STORED = /^\$scrypt\$ln=(\d{1,2}),r=8,p=(\d)\$([A-Za-z0-9+/]{16,86})\$([A-Za-z0-9+/]{43})$/

/** Hashes a password with a new random salt, in the format above. */
export async function hashPassword(password: string, cost: PasswordCost = COST): Promise<string> {
  const salt = randomBytes(SALT_BYTES)
  const hash = await derive(password, { salt, ...cost })
  return `$scrypt$ln=${cost.logN},r=${BLOCK_SIZE},p=${cost.parallelism}$${unpadded(salt)}$${unpadded(hash)}`
}

/** Whether this is the password that was hashed. False if `stored` does not have the format above. */
export async function verifyPassword(password: string, stored: string): Promise<boolean> {
  const [, ln, p, salt, hash] = STORED.exec(stored) ?? []
  if (ln === undefined || p === undefined || salt === undefined || hash === undefined) return false
  const logN = Number(ln)
  const parallelism = Number(p)
  if (logN < 1 || logN > LOG_N_MAX || parallelism < 1 || parallelism > PARALLELISM_MAX) return false
  const derived = await derive(password, { salt: Buffer.from(salt, 'base64'), logN, parallelism })
  return timingSafeEqual(derived, Buffer.from(hash, 'base64'))
}

interface Derivation extends PasswordCost {
  readonly salt: Uint8Array
}

function derive(password: string, { salt, logN, parallelism }: Derivation): Promise<Buffer> {
  const cost = 2 ** logN
  // Node refuses more than 32 MiB by default, and N = 2^15 takes slightly more.
  const maxmem = 128 * BLOCK_SIZE * (cost + parallelism + 2)
  const options: ScryptOptions = { N: cost, r: BLOCK_SIZE, p: parallelism, maxmem }
  return new Promise((resolve, reject) => {
    // Normalize, because two keyboards may encode an accented letter of the same password differently.
    scrypt(password.normalize('NFC'), salt, HASH_BYTES, options, (error, hash) => {
      if (error === null) resolve(hash)
      else reject(error)
    })
  })
}

function unpadded(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64').replace(/=+$/, '')
}
