/** What the parameters of paths and queries are, and how they look in life. */
import { EXAMPLES } from '#transport/http/openapi/examples.ts'

interface ParameterNotes {
  readonly description: string
  readonly example: string
}

const { deviceId } = EXAMPLES.removeDevice.data
const { messageId } = EXAMPLES.message.data

const IN_PATHS: Readonly<Record<string, ParameterNotes>> = {
  messageId: { description: 'The message, as the answer that accepted it gave it.', example: messageId },
  deviceId: { description: 'The phone, as the list of devices gives it.', example: deviceId },
  token: { description: 'The secret of the webhook.', example: 'TOKEN_k3Zp' },
}

/** `id` means something else in every part of the API: the notes of those, by the path before it. */
const IDS: Readonly<Record<string, ParameterNotes>> = {
  '/api/v1/keys': { description: 'The key, as their list gives it.', example: EXAMPLES.revokeKey.data.id },
  '/api/v1/sessions': {
    description: 'The session, as their list gives it.',
    example: EXAMPLES.endSession.data.id,
  },
  '/api/v1/received': {
    description: 'The text, as their list or the event `sms.received` gives it.',
    example: EXAMPLES.received.data.id,
  },
  '/api/v1/webhooks': {
    description: 'The webhook, as their list gives it.',
    example: EXAMPLES.removeWebhook.data.id,
  },
  '/api/v1/notifications/deliveries': {
    description: 'The delivery, as their list gives it.',
    example: EXAMPLES.replayDelivery.data.id,
  },
}

/** Undefined for a parameter without a description. */
export function parameterNotes(name: string, path: string): Partial<ParameterNotes> {
  return IDS[path.slice(0, path.indexOf('/{'))] ?? IN_PATHS[name] ?? {}
}

export const QUERY_EXAMPLES: Readonly<Record<string, string | number>> = {
  deviceId,
  messageId,
  phoneNumber: '+14155550123',
  from: '+14155550144',
  q: 'backup',
  kind: 'sms',
  webhookId: EXAMPLES.removeWebhook.data.id,
  test: 'true',
  since: '2026-01-31T12:00:00.000Z',
  until: '2026-02-01T00:00:00.000Z',
  limit: 50,
  days: 30,
  cursor: Buffer.from('1768478400000000').toString('base64url'),
}
