/**
 * The secrets that a phone in SMSGate's cloud mode is given beside its token. They are made from the device's
 * id by a key that lies outside of the database, so nothing of them is stored.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'

/** Letters, digits, `-`, `_`, and a letter first: the app reads other characters back wrongly. */
const RECOVERY = /^rt_([0-9A-Z]{26})_([\w-]{32})$/

export class CloudSecrets {
  readonly #key: Uint8Array

  constructor(key: Uint8Array) {
    this.#key = key
  }

  /** With it the phone registers again under the same device. */
  recoveryToken(deviceId: string): string {
    return `rt_${deviceId.slice('dev_'.length)}_${this.#seal('recovery', deviceId)}`
  }

  /** Whose recovery token it is; null: it is none. */
  recoveredDevice(token: string): string | null {
    const [, tail, seal = ''] = RECOVERY.exec(token) ?? []
    if (tail === undefined) return null
    const deviceId = `dev_${tail}`
    return isSame(seal, this.#seal('recovery', deviceId)) ? deviceId : null
  }

  /** With it the app signs what it reports to a webhook. */
  signingKey(deviceId: string): string {
    return `wh_${this.#seal('signing', deviceId)}`
  }

  /** In the path of the webhooks of the device. */
  hookSecret(deviceId: string): string {
    return `s_${this.#seal('hook', deviceId)}`
  }

  isHookSecret(deviceId: string, secret: string): boolean {
    return isSame(secret, this.hookSecret(deviceId))
  }

  /** Whether the app signed these bytes: `hex(HMAC-SHA256(key, body + timestamp))`. */
  isSigned(deviceId: string, body: Uint8Array, { signature, timestamp }: Signed): boolean {
    const hmac = createHmac('sha256', this.signingKey(deviceId)).update(body).update(timestamp)
    return isSame(signature.toLowerCase(), hmac.digest('hex'))
  }

  /** 32 characters: 192 bits. */
  #seal(purpose: 'recovery' | 'signing' | 'hook', deviceId: string): string {
    const text = `smsgate-cloud ${purpose} ${deviceId}`
    return createHmac('sha256', this.#key).update(text).digest().subarray(0, 24).toString('base64url')
  }
}

/** What stands in the headers of a webhook. */
export interface Signed {
  readonly signature: string
  /** As it was sent, seconds since 1970. */
  readonly timestamp: string
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}
