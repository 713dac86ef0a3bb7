/** Examples of sessions, live news and changes of the account, for the OpenAPI document. */
const CREATED_AT = '2026-01-31T12:00:00.000Z'
const MESSAGE_ID = 'msg_01KG9V0E7M4T0JH0Q4W2Z9R3XB'
const DEVICE_ID = 'dev_01KG9TMX5C8N1V7K3E6P2D0YSA'
const SESSION = {
  id: 'ses_01KG9V0E7M4T0JH0Q4W2Z9R3XB',
  account: { email: 'owner@example.com', plan: 'pro' },
  expiresAt: '2026-03-02T12:00:00.000Z',
}

export const SESSION_EXAMPLES = {
  openSession: {
    request: { email: 'owner@example.com', password: 'correct horse battery' },
    data: { ...SESSION, half: 'HALF_EXAMPLE' },
  },
  live: {
    data: {
      news: [
        {
          type: 'message',
          id: MESSAGE_ID,
          status: 'sent',
          at: CREATED_AT,
          deviceId: DEVICE_ID,
          failure: null,
        },
        { type: 'device', id: DEVICE_ID },
      ],
    },
  },
  session: { data: SESSION },
  endSession: { data: { id: SESSION.id } },
  sessions: {
    data: [
      {
        id: SESSION.id,
        createdAt: CREATED_AT,
        lastUsedAt: CREATED_AT,
        address: '192.168.1.20',
        browser: 'Firefox on Linux',
        current: true,
      },
    ],
  },
  changeAccount: {
    request: { email: 'owner@example.com', currentPassword: 'correct horse battery' },
    data: {
      accountId: 'acc_01KG9TMX5C8N1V7K3E6P2D0YSA',
      email: 'owner@example.com',
      plan: 'pro',
      createdAt: CREATED_AT,
    },
  },
} as const
