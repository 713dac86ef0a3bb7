/** Account tokens: JSON Web Tokens, HS256 and nothing else, under a key that lies beside the database. */
import { randomBytes, randomUUID } from 'node:crypto'
import { closeSync, fsyncSync, linkSync, openSync, readFileSync, unlinkSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { errors, jwtVerify, SignJWT } from 'jose'
import { makeDirectory, syncDirectory } from '#storage/sync-directory.ts'

export const TOKEN_ISSUER = 'roost'
export const TOKEN_AUDIENCE = 'roost-api'
const KEY_BYTES = 32

export interface TokenRequest {
  readonly accountId: string
  /** The account's `tokenVersion`; with the next one this token is worthless. */
  readonly version: number
  readonly ttlS: number
  readonly key: Uint8Array
  /** Milliseconds since 1970. */
  readonly nowMs: number
}

export interface IssuedToken {
  readonly token: string
  /** Milliseconds since 1970, whole seconds. */
  readonly expiresAt: number
}

export async function issueAccountToken(request: TokenRequest): Promise<IssuedToken> {
  const issuedAtS = Math.floor(request.nowMs / 1000)
  const expiresAtS = issuedAtS + request.ttlS
  const token = await new SignJWT({ ver: request.version })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setIssuer(TOKEN_ISSUER)
    .setAudience(TOKEN_AUDIENCE)
    .setSubject(request.accountId)
    .setIssuedAt(issuedAtS)
    .setExpirationTime(expiresAtS)
    .setJti(randomUUID())
    .sign(request.key)
  return { token, expiresAt: expiresAtS * 1000 }
}

export interface AccountTokenClaims {
  readonly accountId: string
  /** Names this token, for revocation. */
  readonly jti: string
  readonly version: number
  /** Milliseconds since 1970. */
  readonly expiresAt: number
}

/** Whom the token speaks for; null when it is not ours, not for this use, or too old. */
export async function verifyAccountToken(
  token: string,
  key: Uint8Array,
  nowMs = Date.now(),
): Promise<AccountTokenClaims | null> {
  try {
    const { payload } = await jwtVerify(token, key, {
      algorithms: ['HS256'],
      issuer: TOKEN_ISSUER,
      audience: TOKEN_AUDIENCE,
      requiredClaims: ['sub', 'exp', 'jti', 'ver'],
      currentDate: new Date(nowMs),
    })
    const { sub, jti, exp, ver: version } = payload
    if (sub === undefined || jti === undefined || exp === undefined || !isCount(version)) return null
    return { accountId: sub, jti, version, expiresAt: exp * 1000 }
  } catch (error) {
    if (error instanceof errors.JOSEError) return null
    throw error
  }
}

function isCount(claim: unknown): claim is number {
  return Number.isSafeInteger(claim)
}

/**
 * 32 random bytes, drawn at first use and readable by their owner alone. Two processes that come first at
 * the same time get the same ones.
 */
export function loadSecret(path: string): Uint8Array {
  const bytes = readSecret(path) ?? createSecret(path)
  if (bytes.length !== KEY_BYTES)
    throw new Error(`${path} does not hold ${KEY_BYTES} bytes: restore it, or remove it to make a new one`)
  return bytes
}

function readSecret(path: string): Uint8Array | null {
  try {
    return readFileSync(path)
  } catch (error) {
    if (isCode(error, 'ENOENT')) return null
    throw error
  }
}

function createSecret(path: string): Uint8Array {
  makeDirectory(dirname(path))
  const draft = `${path}.${randomUUID()}`
  const file = openSync(draft, 'wx', 0o600)
  try {
    writeSync(file, randomBytes(KEY_BYTES))
    fsyncSync(file)
    // A link appears whole and fails when another process was first; a rename would replace its key.
    linkSync(draft, path)
    // Before anything is signed or sealed with it: a power cut must not leave that without its key.
    syncDirectory(dirname(path))
  } catch (error) {
    if (!isCode(error, 'EEXIST')) throw error
  } finally {
    closeSync(file)
    unlinkSync(draft)
  }
  return readFileSync(path)
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
