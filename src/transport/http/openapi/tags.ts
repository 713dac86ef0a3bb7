/** The groups in which the document shows the operations, in this order. */
export const TAGS = {
  messages: 'Texts on their way out: send, look up, cancel.',
  codes: 'One-time codes: send one, and check what people type.',
  alerts: 'The secret address of a webhook, which monitors call with an alert in any format.',
  webhooks: 'Webhooks: make and change them, see the last triggers and preview texts.',
  received: 'Texts that phones have received.',
  devices: 'The phones that send: pair, look up, change, remove.',
  notifications: 'Signed events to a URL of yours, and how each delivery went.',
  keys: 'API keys for programs.',
  account: 'The account: its login, plan and usage.',
  sessions: 'Logging in, by token for programs and by session for people, and live news for open pages.',
  gateway: 'Health, problems, metrics and this description.',
} as const

export type Tag = keyof typeof TAGS
