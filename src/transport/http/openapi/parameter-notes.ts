/** Descriptions and examples of path parameters, and examples of query parameters. */
import { EXAMPLES } from '#transport/http/openapi/examples.ts'

interface ParameterNotes {
  readonly description: string
  readonly example: string
}

const { deviceId } = EXAMPLES.removeDevice.data
const { messageId } = EXAMPLES.message.data

const IN_PATHS: Readonly<Record<string, ParameterNotes>> = {
  messageId: { description: 'Id of the message, from the answer that accepted it.', example: messageId },
  deviceId: { description: 'Id of the phone, from the list of devices.', example: deviceId },
  token: { description: 'Secret token of the webhook.', example: 'TOKEN_k3Zp' },
}

/** Notes on the parameter `id`, by the path before it, because each part of the API has its own ids. */
const IDS: Readonly<Record<string, ParameterNotes>> = {
  '/api/v1/keys': {
    description: 'Id of the key, from the list of keys.',
    example: EXAMPLES.revokeKey.data.id,
  },
  '/api/v1/sessions': {
    description: 'Id of the session, from the list of sessions.',
    example: EXAMPLES.endSession.data.id,
  },
  '/api/v1/received': {
    description: 'Id of the received text, from the list or the event `sms.received`.',
    example: EXAMPLES.received.data.id,
  },
  '/api/v1/webhooks': {
    description: 'Id of the webhook, from the list of webhooks.',
    example: EXAMPLES.removeWebhook.data.id,
  },
  '/api/v1/notifications/deliveries': {
    description: 'Id of the delivery, from the list of deliveries.',
    example: EXAMPLES.replayDelivery.data.id,
  },
}

/** Description and example of a path parameter; empty: there is none. */
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
