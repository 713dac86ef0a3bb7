import { t } from '#console/language.ts'
import type { AuditEntry } from '#contracts/user.ts'

/** What was done, by the name of the gateway's command. */
const DONE: Readonly<Record<string, string>> = {
  'account.change': t('changed their own login'),
  'account.create': t('made the account'),
  'account.revoke-token': t('logged out a program'),
  'account.set-password': t('set a password'),
  'account.set-plan': t('changed the plan'),
  'auth.login': t('logged in a program'),
  'configuration.change': t('changed alarms or nightly copies'),
  'device.add': t('added a phone'),
  'device.create-pairing': t('made a pairing code'),
  'device.remove': t('removed a phone'),
  'drill.start': t('had a phone prove that it sends'),
  'device.update': t('changed a phone'),
  'incident.close': t('closed an alert'),
  'incident.next': t('passed on an alert'),
  'incident.take': t('took an alert'),
  'key.create': t('made a key'),
  'key.create-own': t('made a key'),
  'key.revoke': t('revoked a key'),
  'message.accept': t('sent a text'),
  'message.cancel': t('cancelled a text'),
  'notification.delete': t('removed the address for notifications'),
  'notification.replay': t('posted a notification again'),
  'notification.replay-failed': t('posted failed notifications again'),
  'notification.rotate': t('gave notifications a new secret'),
  'notification.set': t('changed the notifications'),
  'notification.test': t('tested the notifications'),
  'opt-out.add': t('listed a number that wants no more texts'),
  'opt-out.remove': t('allowed texts to a number again'),
  'policy.rehearse': t('rehearsed a policy'),
  'rota.end-override': t('undid a swap of turns'),
  'rota.override': t('swapped a turn'),
  'session.end': t('logged out'),
  'session.open': t('logged in'),
  'table.export': t('saved a list as a table'),
  'token.create': t('made an account token'),
  'two-factor.issue': t('sent a code'),
  'user.invite': t('invited a user'),
  'user.remove': t('removed a user'),
  'user.update': t('changed a user'),
  'webhook.forget': t('forgot what a webhook was taught'),
}

const VERBS: Readonly<Record<string, string>> = {
  create: t('made'),
  update: t('changed'),
  set: t('set'),
  remove: t('removed'),
  delete: t('removed'),
  rotate: t('gave a new secret to'),
  test: t('tested'),
  settle: t('taught'),
}

/** What has ids with this prefix. */
const NOUNS: Readonly<Record<string, string>> = {
  per: t('a person'),
  grp: t('a group'),
  rot: t('a rota'),
  pol: t('a policy'),
  whk: t('a webhook'),
  dev: t('a phone'),
  dgr: t('a group of phones'),
  fwd: t('a forward'),
}

/** The pages of things, by the prefix of their ids. */
const PAGES: Readonly<Record<string, string>> = {
  msg: 'texts',
  whk: 'webhooks',
  dev: 'devices',
  per: 'people',
  grp: 'groups',
  rot: 'rotas',
  pol: 'policies',
  dgr: 'device-groups',
  fwd: 'forwards',
}

export function deedWords({ what, which }: Pick<AuditEntry, 'what' | 'which'>): string {
  const [name = '', verb = ''] = what.split('.')
  const noun = NOUNS[prefixOf(which)] ?? name.replaceAll('-', ' ')
  return DONE[what] ?? t('{verb} {noun}', { verb: VERBS[verb] ?? verb, noun })
}

/** The page of what it was done to; null: there is none. */
export function deedLink({ what, which }: Pick<AuditEntry, 'what' | 'which'>): string | null {
  const page = PAGES[prefixOf(which)]
  return page === undefined || /\.(?:remove|delete)$/.test(what) ? null : `#/${page}/${which}`
}

/** The name of what it was done to; null: it has none, or what was done to a user is plain already. */
export function nameOfDeed({ what, whichName }: Pick<AuditEntry, 'what' | 'whichName'>): string | null {
  return what.startsWith('session.') || what === 'account.change' ? null : whichName
}

export function doerWords({ who, name }: Pick<AuditEntry, 'who' | 'name'>): string {
  if (who === 'command line') return t('Somebody on the command line')
  if (who.startsWith('key_')) return t('The key {name}', { name: name ?? t('that is gone') })
  return name ?? t('A user who was removed')
}

function prefixOf(id: string | null): string {
  return id?.split('_')[0] ?? ''
}
