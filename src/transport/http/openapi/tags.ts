/** The groups in which the document shows the operations, in this order. */
export const TAGS = {
  messages: 'Texts on their way out: send, look up, cancel.',
  codes: 'One-time codes: send one, and check what people type.',
  alerts: 'The secret address of a webhook, which monitors call with an alert in whatever form.',
  webhooks: 'Webhooks: make and change them, see what came and how it reads.',
  received: 'Texts that phones have received.',
  devices: 'The phones that send: pair, look up, change, remove.',
  notifications: 'Signed events to a URL of yours, and how each delivery went.',
  keys: 'API keys for programs.',
  account: 'The account: its log-in, its plan, what it has used.',
  sessions: 'Logging in, by token for programs and by session for people, and live news for open pages.',
  gateway: 'Health, what is wrong, metrics and this description.',
} as const

export type Tag = keyof typeof TAGS
