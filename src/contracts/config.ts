/** The configuration: each key with its range and default. `config.example.toml` explains the keys. */
import * as v from 'valibot'
import {
  ALARM_RECIPIENTS_MAX,
  CALLS_PER_MINUTE_MAX,
  SEGMENTS_PER_MINUTE_MAX,
  TTL_S_MAX,
} from '#contracts/bounds.ts'
import { CLUSTER_DEFAULTS, ClusterConfig } from '#contracts/cluster-config.ts'
import { whole } from '#contracts/primitives.ts'
import { LANGUAGE_TAGS } from '#contracts/words.ts'

const text = v.string('must be text')
const flag = v.boolean('must be true or false')
const texts = v.array(text, 'must be a list of texts')
const topic = v.pipe(
  text,
  v.regex(/^[\w-]+(\/[\w-]+)*$/, 'must be letters, digits, _ and -, in parts with / between them'),
)
/**
 * A limit of a plan; -1: unlimited. Every invalid value gets the same message, because the fix is the same.
 */
function allowance({ min, max, advice = '' }: { min: number; max: number; advice?: string }) {
  const message = `must be -1 (unlimited) or a whole number from ${min} to ${max}${advice}`
  const isAllowed = (given: number) =>
    given === -1 || (Number.isInteger(given) && given >= min && given <= max)
  return v.pipe(v.number(message), v.check(isAllowed, message))
}
const limit = allowance({ min: 0, max: 1_000_000_000 })
/** A limit of 0 is refused: the account could not even ask why its calls fail. */
const callLimit = allowance({
  min: 1,
  max: CALLS_PER_MINUTE_MAX,
  advice: '; to shut an account out, revoke its keys',
})

export const PlanConfig = v.strictObject({
  sms_per_day: limit,
  two_factor_per_day: limit,
  api_calls_per_minute: callLimit,
  devices: limit,
  notifications: flag,
})
export type PlanConfig = v.InferOutput<typeof PlanConfig>

/** The built-in plans. A configuration file may change them and add plans of other names. */
export const PLANS_BUILT_IN = {
  free: {
    sms_per_day: 10,
    two_factor_per_day: 20,
    api_calls_per_minute: 10,
    devices: 1,
    notifications: false,
  },
  standard: {
    sms_per_day: 1000,
    two_factor_per_day: -1,
    api_calls_per_minute: 60,
    devices: 5,
    notifications: false,
  },
  pro: {
    sms_per_day: -1,
    two_factor_per_day: -1,
    api_calls_per_minute: 300,
    devices: -1,
    notifications: true,
  },
} satisfies Record<string, PlanConfig>

/** The other gateways whose APIs Roost can offer, at their usual paths outside `/api/v1`. */
export const DIALECTS = [
  'gotify',
  'ntfy',
  'signal',
  'smseagle',
  'smsgate',
  'kannel',
  'twilio',
  'httpsms',
  'playsms',
] as const
export type DialectName = (typeof DIALECTS)[number]

export const Config = v.strictObject({
  public_url: v.union([
    v.literal(''),
    v.pipe(text, v.regex(/^https?:\/\/[^\s/?#]+(\/[^\s?#]*)?$/, 'must be an http or https address')),
  ]),
  data_dir: v.pipe(text, v.minLength(1, 'must not be empty')),
  http: v.strictObject({
    host: v.pipe(text, v.minLength(1, 'must not be empty')),
    port: whole(0, 65_535),
    tls_port: whole(0, 65_535),
    listeners: whole(1, 64),
    trusted_proxies: texts,
    /** The one header in which these proxies name their caller. */
    forwarded: v.picklist(['x-forwarded-for', 'forwarded'], 'must be "x-forwarded-for" or "forwarded"'),
    body_bytes_max: whole(1, 16_777_216),
    anonymous_calls_per_minute: callLimit,
    tls_cert_file: text,
    tls_key_file: text,
  }),
  plans: v.record(
    v.pipe(text, v.regex(/^(?=.*\S)\P{C}{1,64}$/u, 'the name of a plan must be 1 to 64 visible characters')),
    PlanConfig,
  ),
  accounts: v.strictObject({
    /** The plan of accounts that are made without one. */
    default_plan: text,
  }),
  devices: v.strictObject({
    segments_per_minute: whole(1, SEGMENTS_PER_MINUTE_MAX),
    segments_burst: whole(1, SEGMENTS_PER_MINUTE_MAX),
    offline_after_s: whole(1, 3600),
    /** Hosts outside private networks where the gateway may reach phones. */
    allowed_hosts: texts,
    /** Whether the gateway uses modems of its machine, where ModemManager runs. */
    modems: v.picklist(['auto', 'off'], 'must be "auto" or "off"'),
    /** E-mail addresses of accounts that may see and add modems, beside the first account. */
    modem_accounts: texts,
  }),
  messages: v.strictObject({
    ttl_s: whole(1, TTL_S_MAX),
    retention_days: whole(1, 3650),
    /** Days until a message's row is deleted. A value below `retention_days` counts as `retention_days`. */
    records_days: whole(1, 36_500),
    default_country: v.pipe(
      text,
      v.regex(/^(?:[A-Z]{2})?$/, 'must be two capital letters, such as IT, or empty'),
    ),
    /** ISO 3166-1 alpha-2: only their numbers get texts and codes that a call asks for. Empty: all. */
    countries: v.array(v.pipe(text, v.regex(/^[A-Z]{2}$/, 'must be two capital letters, such as IT'))),
    /** Whether texts may go to numbers of 3 to 6 digits. */
    short_codes: flag,
    /** A text that is one of them asks for no more texts; empty: none does. */
    stop_words: v.array(
      v.pipe(text, v.trim(), v.regex(/^[^.!]{1,40}$/, 'must be 1 to 40 characters without . and !')),
    ),
    /** Whether the one who asked for no more texts gets one text about it. */
    confirm_opt_out: flag,
    /** In which Roost texts people. */
    language: v.picklist(LANGUAGE_TAGS),
  }),
  notifications: v.strictObject({
    allowed_hosts: texts,
    allow_private: flag,
  }),
  two_factor: v.strictObject({
    /** Codes to one number in ten minutes; -1: unlimited. */
    per_number: limit,
  }),
  webhooks: v.strictObject({
    body_bytes_max: whole(1024, 16_777_216),
  }),
  smtp: v.strictObject({
    /** 0: no mails. */
    port: whole(0, 65_535),
    host: v.pipe(text, v.minLength(1, 'must not be empty')),
    /** Offer STARTTLS with the certificate of `http`. */
    starttls: flag,
  }),
  mail: v.strictObject({
    /** The server that takes mails of forwards, with its login; empty: none. */
    smtp_url: v.pipe(text, v.regex(/^(smtps?:\/\/[^\s/?#]+\S*)?$/, 'must begin with smtp:// or smtps://')),
    /** The sender of these mails. */
    from: v.pipe(
      text,
      v.regex(
        /^([^\r\n<>]*<)?[^\s@<>]+@[^\s@<>]+>?$|^$/,
        'must be an e-mail address, such as roost@example.org',
      ),
    ),
  }),
  mqtt: v.strictObject({
    /** The broker of Home Assistant; empty: none. */
    url: v.pipe(
      text,
      v.regex(/^(mqtts?:\/\/[^\s/?#@]+\/?)?$/, 'must be like mqtt://homeassistant.local, without a login'),
    ),
    /** E-mail address of the account that Home Assistant shows; empty: the only one. */
    account: text,
    username: text,
    /** A file with the password. */
    password_file: text,
    discovery_prefix: topic,
    topic_prefix: topic,
    /** Whether received texts are events. */
    received: flag,
    /** The senders whose texts are events, with their codes. Empty: all, without codes. */
    allow: texts,
  }),
  discovery: v.strictObject({
    /** Announce the gateway on the network by mDNS, so that agents find it. */
    enabled: flag,
  }),
  dialects: v.strictObject({
    /** The other gateways whose APIs are offered. */
    enabled: v.array(
      v.picklist(DIALECTS, `must be one of ${DIALECTS.join(', ')}`),
      'must be a list of texts',
    ),
  }),
  pool: v.strictObject({
    /**
     * Pool threads, without the one for passwords. 0: one fewer than the processors, at least 1, at most 4.
     */
    threads: whole(0, 64),
  }),
  backup: v.strictObject({
    /** Empty: no nightly backups. */
    dir: text,
    /** Empty: no second copy. */
    second_dir: text,
    at: v.pipe(text, v.regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time of day, such as 03:30')),
    keep_days: whole(1, 3650),
    keep_weeks: whole(0, 520),
  }),
  alarms: v.strictObject({
    /** Phone numbers that get a text when something is wrong. */
    recipients: v.pipe(
      texts,
      v.maxLength(ALARM_RECIPIENTS_MAX, `must be at most ${ALARM_RECIPIENTS_MAX} numbers`),
    ),
    /** Address that the gateway calls each minute while no problem is critical; empty: none. */
    heartbeat_url: v.pipe(text, v.regex(/^(https?:\/\/[^\s/?#]+\S*)?$/, 'must be an http or https address')),
  }),
  cluster: ClusterConfig,
  log: v.strictObject({
    level: v.picklist(['debug', 'info', 'warn', 'error'], 'must be debug, info, warn or error'),
    /** `auto`: text on a terminal, JSON lines otherwise. */
    format: v.picklist(['auto', 'json', 'text'], 'must be auto, json or text'),
  }),
})
export type Config = v.InferOutput<typeof Config> & {
  /** The keys of `alarms` and `backup` that file and environment say. Absent: those without their default. */
  readonly fixed?: readonly string[]
}

export const CONFIG_DEFAULTS: Config = {
  public_url: '',
  data_dir: './data',
  http: {
    host: '0.0.0.0',
    port: 8080,
    tls_port: 0,
    listeners: 1,
    trusted_proxies: [],
    forwarded: 'x-forwarded-for',
    body_bytes_max: 262_144,
    anonymous_calls_per_minute: 60,
    tls_cert_file: '',
    tls_key_file: '',
  },
  plans: PLANS_BUILT_IN,
  accounts: { default_plan: 'standard' },
  devices: {
    segments_per_minute: 20,
    segments_burst: 10,
    offline_after_s: 45,
    allowed_hosts: [],
    modems: 'auto',
    modem_accounts: [],
  },
  messages: {
    ttl_s: 14_400,
    retention_days: 90,
    records_days: 400,
    default_country: '',
    countries: [],
    short_codes: true,
    stop_words: ['STOP', 'STOPALL', 'UNSUBSCRIBE', 'STOPP', 'ABMELDEN'],
    confirm_opt_out: false,
    language: 'en',
  },
  notifications: { allowed_hosts: [], allow_private: true },
  two_factor: { per_number: 5 },
  webhooks: { body_bytes_max: 2_097_152 },
  smtp: { port: 0, host: '0.0.0.0', starttls: true },
  mail: { smtp_url: '', from: '' },
  mqtt: {
    url: '',
    account: '',
    username: '',
    password_file: '',
    discovery_prefix: 'homeassistant',
    topic_prefix: 'roost',
    received: false,
    allow: [],
  },
  discovery: { enabled: true },
  dialects: { enabled: [...DIALECTS] },
  pool: { threads: 0 },
  backup: { dir: '', second_dir: '', at: '03:30', keep_days: 7, keep_weeks: 4 },
  alarms: { recipients: [], heartbeat_url: '' },
  cluster: CLUSTER_DEFAULTS,
  log: { level: 'info', format: 'auto' },
}
