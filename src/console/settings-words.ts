/** What the first page of the settings says of each part. */
import { t } from '#console/language.ts'
import type { KeyResource, UsageResource } from '#contracts/account.ts'
import type { ConfigurationResource } from '#contracts/configuration.ts'
import type { StatusResource } from '#contracts/health.ts'
import type { UserResource } from '#contracts/user.ts'

/** What has been fetched. Undefined: not yet, or it is not for this role. */
export interface SettingsFacts {
  readonly email: string
  readonly sessions: readonly unknown[] | undefined
  readonly users: readonly UserResource[] | undefined
  readonly keys: readonly KeyResource[] | undefined
  readonly configuration: ConfigurationResource | undefined
  readonly status: StatusResource | undefined
  readonly usage: UsageResource | undefined
  /** A call failed, so that what is undefined stays so for now. */
  readonly hasFailed: boolean
}

/** Facts about a part, and whether they are a reason to look at it. */
export interface PartState {
  readonly facts: readonly string[]
  readonly isAmiss?: boolean
}

/** The parts whose states are fetched. */
const FETCHED = [
  'users',
  'settings/keys',
  'settings/gateway',
  'settings/plan',
  'settings/backup',
  'settings/alarms',
]
const NOT_KNOWN = Object.fromEntries(FETCHED.map(path => [path, { facts: [t('Not known now.')] }]))

/** The states of the parts, by their addresses. */
export function partStates(known: SettingsFacts): Readonly<Record<string, PartState>> {
  const { email, sessions, users, keys, configuration, status, usage } = known
  return {
    'settings/account': {
      facts: [email, ...(sessions ? [t('1 login|{count} logins', { count: sessions.length })] : [])],
    },
    ...(known.hasFailed && NOT_KNOWN),
    ...(users && { users: usersState(users) }),
    ...(keys && { 'settings/keys': keysState(keys) }),
    ...(status && { 'settings/gateway': { facts: [status.publicUrl, status.version] } }),
    ...(usage && { 'settings/plan': planState(usage) }),
    ...(configuration && {
      'settings/backup': backupState(configuration, status),
      'settings/alarms': alarmsState(configuration),
    }),
  }
}

function usersState(users: readonly UserResource[]): PartState {
  const invited = users.filter(({ invitedUntil }) => invitedUntil !== null).length
  const people = t('1 person|{count} people', { count: users.length - invited })
  return { facts: [people, ...(invited > 0 ? [t('1 invited|{count} invited', { count: invited })] : [])] }
}

function keysState(keys: readonly KeyResource[]): PartState {
  const count = keys.filter(({ revokedAt }) => revokedAt === null).length
  return { facts: [count === 0 ? t('No program has a key yet.') : t('1 key|{count} keys', { count })] }
}

function planState({ usage, limits }: UsageResource): PartState {
  const { smsToday: count } = usage
  const max = limits.smsPerDay
  return {
    facts: [max === -1 ? t('No limit') : t('{count} of {max} texts today', { count, max })],
    isAmiss: max !== -1 && count >= max,
  }
}

/** What belongs to the machine is shown to the account that set it up. */
const OTHERS = { facts: [t('Only the account that set up this gateway sees this.')] }

function backupState({ backup }: ConfigurationResource, status: StatusResource | undefined): PartState {
  if (backup === null) return OTHERS
  if (!backup.enabled) return { facts: [t('No backup is made at night.')], isAmiss: true }
  if (status?.problems.some(({ code }) => code === 'BACKUP_FAILED') === true)
    return { facts: [t('The last one failed'), backup.dir], isAmiss: true }
  return { facts: [t('Each night at {at}', { at: backup.at }), backup.dir] }
}

function alarmsState({ alarms }: ConfigurationResource): PartState {
  if (alarms === null) return OTHERS
  const count = alarms.recipients.length
  if (count === 0) return { facts: [t('Nobody is told when the gateway has trouble')], isAmiss: true }
  return { facts: [t('To 1 number|To {count} numbers', { count })] }
}
