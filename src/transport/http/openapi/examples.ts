/** Realistic requests and answers for the OpenAPI document. A test validates them against the schemas. */
import { SESSION_EXAMPLES } from '#transport/http/openapi/session-examples.ts'

const MESSAGE_ID = 'msg_01KG9V0E7M4T0JH0Q4W2Z9R3XB'
const DEVICE_ID = 'dev_01KG9TMX5C8N1V7K3E6P2D0YSA'
const PHONE_NUMBER = '+14155550123'
const CREATED_AT = '2026-01-31T12:00:00.000Z'
const DEVICE = {
  deviceId: DEVICE_ID,
  name: 'Kitchen phone',
  status: 'online',
  lastSeen: CREATED_AT,
  smsToday: 12,
  simInfo: { carrier: 'Example Mobile', countryCode: 'US' },
  paused: false,
  kind: 'roost',
  trouble: null,
  driver: 'termux',
  battery: 87,
  charging: true,
  signal: -71,
  queueLength: 0,
  segmentsPerMinute: 20,
}
const DETAIL = {
  ...DEVICE,
  platform: 'android',
  appVersion: '1.2.3',
  sims: [{ slot: 1, carrier: 'Example Mobile', countryCode: 'US', phoneNumber: null }],
  pairedAt: '2026-01-01T08:00:00.000Z',
}
const REACHED = { kind: 'smsgate', url: 'http://192.168.1.20:8080', password: 'a1B2c3D4' }
const MESSAGE = {
  messageId: MESSAGE_ID,
  status: 'delivered',
  kind: 'sms',
  phoneNumber: PHONE_NUMBER,
  message: 'The backup has finished.',
  deviceId: DEVICE_ID,
  pretend: false,
  webhookId: null,
  segments: 1,
  encoding: 'GSM-7',
  createdAt: CREATED_AT,
  sendAt: null,
  sentAt: '2026-01-31T12:00:01.480Z',
  deliveredAt: '2026-01-31T12:00:04.020Z',
  expiresAt: '2026-01-31T16:00:00.000Z',
  failure: null,
  timeline: [
    { status: 'queued', at: CREATED_AT },
    { status: 'sending', at: '2026-01-31T12:00:00.120Z' },
    { status: 'sent', at: '2026-01-31T12:00:01.480Z' },
    { status: 'delivered', at: '2026-01-31T12:00:04.020Z' },
  ],
}
const RECEIVED = {
  id: 'rcv_01KG9V0E7M4T0JH0Q4W2Z9R3XB',
  from: '+14155550144',
  message: 'Yes, come at nine.',
  receivedAt: CREATED_AT,
  deviceId: DEVICE_ID,
  simSlot: 1,
}

const KEY = {
  id: 'key_01KG9V0E7M4T0JH0Q4W2Z9R3XB',
  accountId: 'acc_01KG9TMX5C8N1V7K3E6P2D0YSA',
  name: 'Backup script',
  test: false,
  cleanText: false,
  hint: 'x7Qd',
  createdAt: CREATED_AT,
  lastUsedAt: CREATED_AT,
  revokedAt: null,
}
const WEBHOOK_ID = 'whk_01KG9V0E7M4T0JH0Q4W2Z9R3XB'
const WEBHOOK = {
  id: WEBHOOK_ID,
  name: 'Uptime monitor',
  recipients: [PHONE_NUMBER],
  maxPerHour: 20,
  messageTemplate: null,
  allowedIps: ['192.168.1.0/24'],
  deviceId: null,
  enabled: true,
  minSeverity: null,
  sendRecovered: true,
  summarizeOverflow: true,
  keepLastBody: true,
  createdAt: CREATED_AT,
  updatedAt: CREATED_AT,
  token: null,
  url: null,
  tokenHint: 'k3Zp',
  usage: { thisHour: 1, today: 3, total: 240, rejected: 0, lastTriggeredAt: CREATED_AT },
}
const WITH_TOKEN = { ...WEBHOOK, token: 'TOKEN_k3Zp', url: '/api/v1/webhook/TOKEN_k3Zp' }
const ALERT = 'DOWN nas: no answer for 60 s'
const TRIGGERED = {
  triggered: true,
  reason: null,
  duplicate: false,
  message: ALERT,
  messages: [{ messageId: MESSAGE_ID, phoneNumber: PHONE_NUMBER, status: 'queued' }],
}
const NOTIFICATION = {
  url: 'https://example.com/hook',
  events: ['sms.delivered', 'sms.failed'],
  enabled: true,
  secret: null,
  disabledReason: null,
  disabledAt: null,
  failingSince: null,
}
const SECRET = 'whsec_EXAMPLE'
const DELIVERY = {
  id: 'evt_01KG9V0E7M4T0JH0Q4W2Z9R3XB',
  event: 'sms.delivered',
  url: 'https://example.com/hook',
  messageId: MESSAGE_ID,
  status: 'delivered',
  attempts: 1,
  lastResponseStatus: 200,
  lastError: null,
  createdAt: CREATED_AT,
  nextAttemptAt: null,
  attemptLog: [{ at: CREATED_AT, status: 200, error: null, durationMs: 84 }],
}
const PENDING = { ...DELIVERY, status: 'pending', nextAttemptAt: CREATED_AT }
const SEEN = { at: CREATED_AT, address: '10.0.0.20', outcome: 'TRIGGERED', format: 'generic', message: ALERT }
const DAY = { accepted: 12, delivered: 10, sent: 1, failed: 1, received: 2, twoFactor: 3, alerts: 4 }

export const EXAMPLES = {
  ...SESSION_EXAMPLES,
  send: {
    request: { phoneNumber: PHONE_NUMBER, message: 'The backup has finished.' },
    data: {
      messageId: MESSAGE_ID,
      status: 'queued',
      phoneNumber: PHONE_NUMBER,
      createdAt: CREATED_AT,
      segments: 1,
      encoding: 'GSM-7',
    },
  },
  message: { data: MESSAGE },
  messages: { data: [MESSAGE] },
  cancelled: {
    data: {
      ...MESSAGE,
      status: 'failed',
      deviceId: null,
      sentAt: null,
      deliveredAt: null,
      failure: { code: 'CANCELLED', message: 'cancelled before any phone was told to send it' },
      timeline: [
        { status: 'queued', at: CREATED_AT },
        { status: 'failed', at: '2026-01-31T12:00:30.000Z' },
      ],
    },
  },
  received: { data: RECEIVED },
  inbox: { data: [RECEIVED] },
  devices: { data: [DEVICE] },
  device: { data: DETAIL },
  addDevice: { request: REACHED, data: { ...DETAIL, kind: 'smsgate', driver: 'smsgate' } },
  updateDevice: { request: { name: 'Kitchen phone', paused: true }, data: { ...DETAIL, paused: true } },
  removeDevice: { data: { deviceId: DEVICE_ID } },
  pairing: {
    request: { name: 'Kitchen phone' },
    data: {
      code: '40718263',
      expiresAt: '2026-01-31T12:10:00.000Z',
      pairUrl: 'http://roost.local:8080/device/v1/pair?code=40718263',
      authority: null,
    },
  },
  pair: {
    request: { code: '40718263', name: 'Kitchen phone', platform: 'android', appVersion: '1.2.3' },
    data: {
      deviceId: DEVICE_ID,
      ...{ token: 'dvt_EXAMPLE', gatewayName: 'nas' },
      socketUrl: 'ws://roost.local:8080/device/v1/socket',
    },
  },
  usage: {
    data: {
      plan: 'standard',
      billing: { currentPeriodStart: '2026-01-01', currentPeriodEnd: '2026-01-31' },
      usage: { smsToday: 12, smsThisMonth: 240, '2faToday': 3 },
      limits: { smsPerDay: 1000, '2faPerDay': -1, devices: 5 },
    },
  },
  status: {
    data: {
      version: '1.2.3',
      startedAt: '2026-01-01T08:00:00.000Z',
      time: CREATED_AT,
      publicUrl: 'http://192.168.1.10:8080',
      problems: [
        {
          code: 'BATTERY_LOW',
          severity: 'warning',
          since: '2026-01-31T11:42:10.000Z',
          subject: DEVICE_ID,
          message: 'The battery of Kitchen phone is at 18 % and does not charge',
          fix: 'Plug Kitchen phone in, and check its charger and cable.',
        },
      ],
    },
  },
  usageDays: { data: [{ ...DAY, day: '2026-01-31', deliveryMs: { p50: 3200, p95: 9800 } }] },
  login: {
    request: { email: 'owner@example.com', password: 'correct horse battery' },
    data: { token: 'eyEXAMPLE', tokenType: 'Bearer', expiresAt: '2026-02-01T00:00:00.000Z' },
  },
  logout: { data: { revoked: true } },
  keys: { data: [KEY] },
  createKey: {
    request: { name: 'Backup script', test: false, cleanText: false },
    data: { ...KEY, key: 'sk_live_EXAMPLE' },
  },
  revokeKey: { data: { id: KEY.id } },
  setNotification: {
    request: { url: NOTIFICATION.url, events: NOTIFICATION.events },
    data: { ...NOTIFICATION, secret: SECRET },
  },
  notification: { data: NOTIFICATION },
  rotateNotification: { data: { ...NOTIFICATION, secret: SECRET } },
  testNotification: { data: { ...PENDING, event: 'sms.sent' } },
  deliveries: { data: [DELIVERY] },
  delivery: {
    data: {
      ...DELIVERY,
      body: '{"event":"sms.delivered"}',
      attempts: [{ at: CREATED_AT, status: 200, error: null, durationMs: 84, answer: 'ok' }],
    },
  },
  replayDelivery: { data: PENDING },
  replayFailed: { request: { since: CREATED_AT }, data: { replayed: 12, more: false } },
  trigger: { request: { status: 'down', monitor: 'nas', message: 'no answer for 60 s' }, data: TRIGGERED },
  issueCode: {
    request: { phoneNumber: PHONE_NUMBER, template: 'Your code is {code}', expiresIn: 300 },
    data: {
      messageId: MESSAGE_ID,
      status: 'queued',
      phoneNumber: PHONE_NUMBER,
      createdAt: CREATED_AT,
      expiresAt: '2026-01-31T12:05:00.000Z',
    },
  },
  verifyCode: {
    request: { phoneNumber: PHONE_NUMBER, code: '407182' },
    data: { verified: true, reason: null },
  },
  webhooks: { data: [WEBHOOK] },
  webhook: { data: WEBHOOK },
  seenTriggers: {
    data: {
      triggers: [SEEN],
      lastBody: '{"status":"down","monitor":"nas"}',
      lastContentType: 'application/json',
    },
  },
  createWebhook: {
    request: { name: 'Uptime monitor', recipients: [PHONE_NUMBER], allowedIps: ['192.168.1.0/24'] },
    data: WITH_TOKEN,
  },
  updateWebhook: {
    request: { maxPerHour: 60, enabled: false },
    data: { ...WEBHOOK, maxPerHour: 60, enabled: false },
  },
  rotateWebhook: { data: WITH_TOKEN },
  removeWebhook: { data: { id: WEBHOOK_ID } },
  previewWebhook: {
    request: { messageTemplate: '{{status}} {{monitor}}', payload: { status: 'DOWN', monitor: 'nas' } },
    data: {
      message: 'DOWN nas',
      format: 'template',
      severity: 'critical',
      state: 'firing',
      segments: 1,
      encoding: 'GSM-7',
    },
  },
  health: { data: { status: 'ok' } },
  readiness: { data: { status: 'ready' } },
  metrics: { data: '# TYPE roost_devices gauge\nroost_devices{status="online"} 2\n' },
  description: {
    data: {
      openapi: '3.1.0',
      info: { title: 'Roost', version: '1.2.3' },
      paths: { '/healthz': { get: { operationId: 'getHealth' } } },
    },
  },
  pairingPage: { data: '<!doctype html>\n<html lang="en">…</html>\n' },
  docs: { data: '<!doctype html>\n<html lang="en">…</html>\n' },
  agent: { data: '// The agent, one file of JavaScript.\n' },
} as const
