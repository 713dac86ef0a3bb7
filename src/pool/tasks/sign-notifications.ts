import { createHmac } from 'node:crypto'

/** One attempt to be signed. */
export interface UnsignedNotification {
  /** Must not hold a full stop: the Standard Webhooks text is `id.timestamp.body`. */
  readonly id: string
  /** Seconds since 1970. */
  readonly timestampS: number
  /** The text that is sent, to the byte (UTF-8). */
  readonly body: string
  /** `whsec_` and base64. */
  readonly secret: string
}

/** The values of `X-Webhook-Signature` and of `webhook-signature`. */
export interface NotificationSignatures {
  readonly signature: string
  readonly standardSignature: string
}

const SECRET_PREFIX = 'whsec_'

/** Signs a batch, in its order. The secret is two keys: its whole text, and its decoded base64. */
export function signNotifications(batch: readonly UnsignedNotification[]): NotificationSignatures[] {
  return batch.map(({ id, timestampS, body, secret }) => ({
    signature: `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
    standardSignature: `v1,${createHmac('sha256', standardKey(secret))
      .update(`${id}.${timestampS}.`)
      .update(body)
      .digest('base64')}`,
  }))
}

function standardKey(secret: string): Buffer {
  return Buffer.from(secret.startsWith(SECRET_PREFIX) ? secret.slice(SECRET_PREFIX.length) : secret, 'base64')
}
