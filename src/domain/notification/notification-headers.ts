/** The header values of one attempt. */
export interface SignedAttempt {
  /** The same for every attempt of a notification, so that a receiver can drop repeats. */
  readonly id: string
  /** 1-based. */
  readonly attempt: number
  /** Seconds since 1970, when this attempt was signed. */
  readonly timestampS: number
  readonly signature: string
  readonly standardSignature: string
  readonly formSignature?: string
}

/**
 * The headers of one attempt.
 *
 * @see https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 */
export function notificationHeaders(attempt: SignedAttempt): Record<string, string> {
  if (attempt.formSignature !== undefined)
    return {
      'content-type': 'application/x-www-form-urlencoded',
      'x-twilio-signature': attempt.formSignature,
      'i-twilio-idempotency-token': attempt.id,
    }
  return {
    'content-type': 'application/json',
    'x-webhook-signature': attempt.signature,
    'x-webhook-id': attempt.id,
    'x-webhook-attempt': String(attempt.attempt),
    'webhook-id': attempt.id,
    'webhook-timestamp': String(attempt.timestampS),
    'webhook-signature': attempt.standardSignature,
  }
}
