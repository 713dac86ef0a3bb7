import { createHmac } from 'node:crypto'
import type { NotificationSignatures, UnsignedNotification } from '#contracts/pool-tasks.ts'

const SECRET_PREFIX = 'whsec_'

/**
 * Signs notifications. The result has the same order. `signature` uses the text of the secret as its key, and
 * `standardSignature` (Standard Webhooks) the bytes that its base64 part encodes.
 */
export function signNotifications(batch: readonly UnsignedNotification[]): NotificationSignatures[] {
  return batch.map(({ id, timestampS, body, secret, url = '', form }) => ({
    signature: `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
    standardSignature: `v1,${createHmac('sha256', standardKey(secret))
      .update(`${id}.${timestampS}.`)
      .update(body)
      .digest('base64')}`,
    ...(form !== undefined && { formSignature: signForm(secret, url, form) }),
  }))
}

/** @see https://www.twilio.com/docs/usage/security#validating-requests */
function signForm(secret: string, url: string, form: Readonly<Record<string, string>>): string {
  const names = Object.keys(form).toSorted()
  const signed = url + names.map(name => `${name}${form[name]}`).join('')
  return createHmac('sha1', secret).update(signed).digest('base64')
}

function standardKey(secret: string): Buffer {
  return Buffer.from(secret.startsWith(SECRET_PREFIX) ? secret.slice(SECRET_PREFIX.length) : secret, 'base64')
}
