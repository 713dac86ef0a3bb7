/** The parts of a listener: what its routes and sockets read, decide and act with. */
import { openAccess } from '#app/auth/open-access.ts'
import { backupPlace, ownBackupDir, withChosen } from '#app/config/chosen-configuration.ts'
import { settingsWithAuthority } from '#app/config/settings.ts'
import { targetChecker, targetPolicyOf } from '#app/config/target-policy.ts'
import { ModemConnections } from '#app/phones/modem-connections.ts'
import { PhoneConnections } from '#app/phones/phone-connections.ts'
import { maskNumber } from '#app/redact.ts'
import type { Writer } from '#contracts/commands.ts'
import type { Config } from '#contracts/config.ts'
import type { ChosenConfiguration, ConfigurationResource } from '#contracts/configuration.ts'
import type { ListenerData, LogEntry } from '#contracts/thread-frames.ts'
import type { Plan } from '#domain/account/plan.ts'
import { PhoneNumberCache } from '#domain/phone-number/phone-number-cache.ts'
import type { Settings } from '#domain/settings.ts'
import { PoolClient } from '#pool/pool-client.ts'
import { openGeneration } from '#rate-limit/generation.ts'
import { openLimiter } from '#rate-limit/limiter.ts'
import { type DataDirectory, dataDirectory } from '#storage/data-directory.ts'
import { openReadOnly } from '#storage/database.ts'
import { openMessageReader } from '#storage/message-reader.ts'
import { loadSecret } from '#storage/secret-file.ts'
import { openWebhookReader } from '#storage/webhook-reader.ts'
import type { WriterClient } from '#storage/writer-client.ts'
import type { CloudPorts } from '#transport/device/smsgate-cloud/cloud-ports.ts'
import { type Cloud, openCloud } from '#transport/device/smsgate-cloud/open-cloud.ts'
import { renderInPool } from '#transport/http/render-in-pool.ts'
import { TriggerJournal } from '#transport/http/trigger-journal.ts'
import { openTriggers, type TriggerPorts, type Triggers } from '#transport/http/trigger-webhook.ts'
import type { TargetPolicy } from '#transport/notification/target-guard.ts'

/** Validated phone numbers that a listener caches: parsing one takes 20 µs, a look-up 0.1 µs. */
export const PHONE_NUMBERS_CACHED_MAX = 10_000

/** What a reload of the configuration replaces. The parts of a listener read it at each use. */
export interface Rules {
  readonly config: Config
  readonly settings: Settings
  /** Where notifications may be sent. */
  readonly targets: TargetPolicy
  /** Longest body at the address of a webhook, bytes. */
  readonly alertBytesMax: number
  /** Whether there is a server for mails. */
  readonly canMail: boolean
}

export function rulesOf(config: Config, publicUrl: string): Rules {
  return {
    config,
    settings: settingsWithAuthority(config, publicUrl),
    targets: targetPolicyOf(config),
    alertBytesMax: config.webhooks.body_bytes_max,
    canMail: config.mail.smtp_url !== '',
  }
}

interface PartsOptions {
  readonly writer: WriterClient
  readonly log: (entry: LogEntry) => void
  readonly rules: () => Rules
  /** In a cluster: resolves once the other members can read new secrets. */
  readonly shareSecrets: (() => Promise<void>) | undefined
}

export type ListenerParts = ReturnType<typeof openParts>

/** Opens everything that routes and sockets need: first what reads, then what decides, then what acts. */
export function openParts(data: ListenerData, { writer, log, rules, shareSecrets }: PartsOptions) {
  const { config } = data
  const directory = dataDirectory(config.data_dir)
  const database = openReadOnly(directory.database)
  const messages = openMessageReader(database)
  const webhooks = openWebhookReader(database)
  const settings = () => rules().settings

  const plan = planIn(settings)
  const limiter = openLimiter(data.limiter)
  const numbers = new PhoneNumberCache(PHONE_NUMBERS_CACHED_MAX)
  const refusalOfTarget = targetChecker(() => rules().targets)
  const pool = new PoolClient(data.pool)
  const access = openAccess({
    database,
    writer,
    limiter,
    pool,
    log,
    tokenKey: loadSecret(directory.jwtKey),
    generation: openGeneration(data.credentials),
    publicUrl: data.publicUrl,
  })

  const phones = new PhoneConnections({ writer, directory, config, limiter, shareSecrets })
  const modems = new ModemConnections({ writer, directory, config, shareSecrets })
  const cloud = cloudOf(data, { writer, access, directory, settings, limiter, pool })
  const defaultCountry = () => settings().defaultCountry
  const shortCodes = () => settings().shortCodes
  const numbering = { numbers, defaultCountry, shortCodes }
  const sending = { writer, plan, messages, refusalOfTarget, ...numbering, wallMs: Date.now }
  const render = renderInPool(pool, log)
  const bodyBytesMax = () => rules().alertBytesMax
  const triggers = triggersOf({ writer, webhooks, messages, limiter, plan, render, bodyBytesMax })
  return {
    directory,
    database,
    webhooks,
    settings,
    plan,
    limiter,
    refusalOfTarget,
    canMail: () => rules().canMail,
    configuration: (chosen: ChosenConfiguration | null) =>
      describeConfiguration(rules().config, settings(), chosen),
    backupPlace: () => backupPlace(rules().config),
    numbers,
    defaultCountry,
    pool,
    access,
    writer,
    phones,
    modems,
    cloud,
    sending,
    triggers,
  }
}

interface CloudParts extends Pick<CloudPorts, 'limiter' | 'pool'> {
  readonly writer: Writer
  readonly access: ReturnType<typeof openAccess>
  readonly directory: DataDirectory
  readonly settings: () => Settings
}

function cloudOf({ listener, publicUrl }: ListenerData, parts: CloudParts): Cloud {
  const { writer, access, directory, settings, limiter, pool } = parts
  return openCloud({
    listener,
    publicUrl,
    writer,
    limiter,
    pool,
    reader: access.credentials.reader,
    key: loadSecret(directory.codeKey),
    offlineAfterMs: () => settings().offlineAfterMs,
    wallMs: Date.now,
  })
}

function triggersOf(ports: Omit<TriggerPorts, 'journal' | 'wallMs'>): Triggers {
  return openTriggers({ ...ports, journal: new TriggerJournal(ports.writer, ports.render), wallMs: Date.now })
}

/** Finds a plan by its name. A plan that is no longer configured is treated as `free`. */
function planIn(settings: () => Settings): (name: string) => Plan {
  return name => {
    const found = settings().plan(name) ?? settings().plan('free')
    if (found === undefined) throw new Error('the plan free is missing, although it is built in')
    return found
  }
}

/**
 * The part of the configuration that the API shows: no secret, and numbers only masked. `chosen`: what the
 * owner chose, for the account of the machine; null for others, who see only what their texts have.
 */
function describeConfiguration(
  config: Config,
  { alarmRecipients, timeZone, fixed }: Settings,
  chosen: ChosenConfiguration | null,
): ConfigurationResource {
  const shared = { timeZone: timeZone(), language: config.messages.language }
  if (chosen === null) return { ...shared, backup: null, alarms: null, fixed: null }
  const { alarms, backup } = withChosen(config, chosen)
  const { dir, second_dir, at, keep_days, keep_weeks } = backup
  const recipients =
    alarmRecipients?.map(({ phoneNumber }, index) => ({ index, phoneNumber })) ?? chosen.recipients
  return {
    ...shared,
    backup: {
      enabled: dir !== '',
      dir: dir === '' ? ownBackupDir(config) : dir,
      secondDir: second_dir || null,
      at,
      keepDays: keep_days,
      keepWeeks: keep_weeks,
    },
    alarms: {
      recipients: recipients.map(({ index, phoneNumber }) => ({ index, hint: maskNumber(phoneNumber) })),
      heartbeat: alarms.heartbeat_url !== '',
    },
    fixed: [...fixed],
  }
}
