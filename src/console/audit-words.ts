import type { AuditEntry } from '#contracts/user.ts'

/** What was done, by the name of the gateway's command. */
const DONE: Readonly<Record<string, string>> = {
  'account.change': 'changed their own login',
  'account.create': 'made the account',
  'account.revoke-token': 'logged out a program',
  'account.set-password': 'set a password',
  'account.set-plan': 'changed the plan',
  'device.add': 'added a phone',
  'device.create-pairing': 'made a pairing code',
  'device.remove': 'removed a phone',
  'device.update': 'changed a phone',
  'incident.close': 'closed an alert',
  'incident.next': 'passed on an alert',
  'incident.take': 'took an alert',
  'key.create': 'made a key',
  'key.create-own': 'made a key',
  'key.revoke': 'revoked a key',
  'message.accept': 'sent a text',
  'message.cancel': 'cancelled a text',
  'policy.rehearse': 'rehearsed a policy',
  'session.end': 'logged out',
  'session.open': 'logged in',
  'two-factor.issue': 'sent a code',
  'user.invite': 'invited a user',
  'user.remove': 'removed a user',
  'user.update': 'changed a user',
}

const VERBS: Readonly<Record<string, string>> = {
  create: 'made',
  update: 'changed',
  set: 'set',
  remove: 'removed',
  delete: 'removed',
  rotate: 'gave a new secret to',
  test: 'tested',
  settle: 'taught',
}

/** What has ids with this prefix. */
const NOUNS: Readonly<Record<string, string>> = {
  per: 'a person',
  grp: 'a group',
  rot: 'a rota',
  pol: 'a policy',
  whk: 'a webhook',
  dev: 'a phone',
}

/** The pages of things, by the prefix of their ids. */
const PAGES: Readonly<Record<string, string>> = {
  msg: 'messages',
  whk: 'webhooks',
  dev: 'devices',
  per: 'people',
  grp: 'groups',
  rot: 'rotas',
  pol: 'policies',
}

export function deedWords({ what, which }: Pick<AuditEntry, 'what' | 'which'>): string {
  const [name = '', verb = ''] = what.split('.')
  return DONE[what] ?? `${VERBS[verb] ?? verb} ${NOUNS[prefixOf(which)] ?? name.replaceAll('-', ' ')}`
}

/** The page of what it was done to; null: there is none. */
export function deedLink({ what, which }: Pick<AuditEntry, 'what' | 'which'>): string | null {
  const page = PAGES[prefixOf(which)]
  return page === undefined || /\.(?:remove|delete)$/.test(what) ? null : `#/${page}/${which}`
}

export function doerWords({ who, name }: Pick<AuditEntry, 'who' | 'name'>): string {
  if (who === 'command line') return 'Somebody on the command line'
  if (who.startsWith('key_')) return `The key ${name ?? 'that is gone'}`
  return name ?? 'A user who was removed'
}

function prefixOf(id: string | null): string {
  return id?.split('_')[0] ?? ''
}
