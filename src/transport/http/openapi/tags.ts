/** The groups of operations in the OpenAPI document, in this order. */
export const TAGS = {
  messages: 'Outgoing texts: send, look up, cancel.',
  codes: 'One-time codes: send a code, and check the code that a person typed.',
  alerts: 'The secret address of a webhook, which monitoring programs call with an alert in any format.',
  webhooks: 'Webhooks: make and change them, see their last triggers, and preview texts.',
  onCall: 'Who is told of incidents, and when: people, groups, rotas and policies.',
  incidents: 'Alerts that wait until somebody takes them: look up, take, close.',
  received: 'Texts that phones have received.',
  forwards: 'Where received texts are passed on to: chat services, mailboxes, people.',
  devices: 'The phones that send: pair, look up, change, remove.',
  notifications: 'Signed events that the gateway posts to your URL, and the log of their deliveries.',
  keys: 'API keys for programs.',
  account: 'The account: its e-mail address, password, plan and usage.',
  users: 'The logins of the account, their roles, and what was done by whom.',
  sessions: 'Login: account tokens for programs, sessions for people, and live news for open pages.',
  gateway: 'Health, problems, metrics and this description.',
} as const

export type Tag = keyof typeof TAGS
