/** Bodies and answers as they look in life, for the document; a test holds them against their schemas. */
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
}
const DETAIL = {
  ...DEVICE,
  battery: 87,
  charging: true,
  signal: -71,
  queueLength: 0,
  platform: 'android',
  appVersion: '0.1.0',
  sims: [{ slot: 1, carrier: 'Example Mobile', countryCode: 'US', phoneNumber: null }],
  segmentsPerMinute: 20,
  pairedAt: '2026-01-01T08:00:00.000Z',
}
const MESSAGE = {
  messageId: MESSAGE_ID,
  status: 'delivered',
  kind: 'sms',
  phoneNumber: PHONE_NUMBER,
  message: 'The backup has finished.',
  deviceId: DEVICE_ID,
  segments: 1,
  encoding: 'GSM-7',
  createdAt: CREATED_AT,
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

export const EXAMPLES = {
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
  devices: { data: [DEVICE] },
  device: { data: DETAIL },
  updateDevice: { request: { name: 'Kitchen phone', paused: true }, data: { ...DETAIL, paused: true } },
  removeDevice: { data: { deviceId: DEVICE_ID } },
  pairing: {
    request: { name: 'Kitchen phone' },
    data: {
      code: '40718263',
      expiresAt: '2026-01-31T12:10:00.000Z',
      pairUrl: 'http://roost.local:8080/device/v1/pair?code=40718263',
    },
  },
  pair: {
    request: { code: '40718263', name: 'Kitchen phone', platform: 'android', appVersion: '0.1.0' },
    data: {
      deviceId: DEVICE_ID,
      token: 'dvt_EXAMPLE',
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
} as const
