import { createHmac } from 'node:crypto'
import type { NotificationSignatures, UnsignedNotification } from '#contracts/pool-tasks.ts'

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
