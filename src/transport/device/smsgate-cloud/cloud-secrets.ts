/**
 * The secrets of a phone in SMSGate's cloud-server mode, besides its token. They are derived from the
 * device's id with a key outside the database (HMAC-SHA256), so none of them is stored.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'

/**
 * Only letters, digits, `-` and `_`, and a letter first: the app cannot read back a token with other
 * characters.
 */
const RECOVERY = /^rt_([0-9A-Z]{26})_([\w-]{32})$/

export class CloudSecrets {
  readonly #key: Uint8Array

  constructor(key: Uint8Array) {
    this.#key = key
  }

  /** The token with which the phone can register again as the same device. */
  recoveryToken(deviceId: string): string {
    return `rt_${deviceId.slice('dev_'.length)}_${this.#derive('recovery', deviceId)}`
  }

  /** The device that a recovery token belongs to; null: no valid recovery token. */
  recoveredDevice(token: string): string | null {
    const [, tail, secret = ''] = RECOVERY.exec(token) ?? []
    if (tail === undefined) return null
    const deviceId = `dev_${tail}`
    return isSame(secret, this.#derive('recovery', deviceId)) ? deviceId : null
  }

  /** The key with which the app signs its webhooks. */
  signingKey(deviceId: string): string {
    return `wh_${this.#derive('signing', deviceId)}`
  }

  /** The secret in the path of the device's webhooks. */
  hookSecret(deviceId: string): string {
    return `s_${this.#derive('hook', deviceId)}`
  }

  isHookSecret(deviceId: string, secret: string): boolean {
    return isSame(secret, this.hookSecret(deviceId))
  }

  /** Derives a secret of 32 characters, 192 bits. */
  #derive(purpose: 'recovery' | 'signing' | 'hook', deviceId: string): string {
    const text = `smsgate-cloud ${purpose} ${deviceId}`
    return createHmac('sha256', this.#key).update(text).digest().subarray(0, 24).toString('base64url')
  }
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}
