/** Converts the configuration to the settings of the domain. */
import { availableMemory } from '#app/available-memory.ts'
import { pairingAuthority } from '#app/certificate/own-certificate.ts'
import { fixedFields, fixedKeys } from '#app/config/chosen-configuration.ts'
import type { Config } from '#contracts/config.ts'
import type { PairingAuthority } from '#contracts/device.ts'
import { languageOf } from '#domain/language.ts'
import { regionOf } from '#domain/phone-number/parse-phone-number.ts'
import { readWrittenNumber } from '#domain/phone-number/read-written-number.ts'
import type { Settings } from '#domain/settings.ts'
import { DAY_MS } from '#domain/time.ts'

/** Open messages kept in memory, however much there is: a start takes 2 s for each 100,000 of them. */
const MESSAGES_OPEN_MAX = 500_000

/** What an open message takes in the writer's memory, as measured. */
const MESSAGE_BYTES = 280
/**
 * The share of the gateway's memory that open messages may take: 99,800 messages under the systemd unit, so
 * that an account beside others has room for the orders of a shop: 35,000 planned texts.
 */
const MESSAGES_SHARE = 1 / 12

/** Converts the configuration, and adds the current certificate authority of this machine. */
export function settingsWithAuthority(config: Config, publicUrl: string): Settings {
  return settingsOf(config, { publicUrl, authority: pairingAuthority(config) })
}

interface PairingFacts {
  readonly publicUrl: string
  readonly authority: PairingAuthority | null
}

export function settingsOf(config: Config, { publicUrl, authority }: PairingFacts): Settings {
  const { accounts, alarms, devices, messages, plans, two_factor } = config
  return {
    offlineAfterMs: devices.offline_after_s * 1000,
    segmentsPerMinute: devices.segments_per_minute,
    segmentsBurst: devices.segments_burst,
    messagesOpenMax: messagesOpenMax(),
    messageTtlMs: messages.ttl_s * 1000,
    retentionMs: messages.retention_days * DAY_MS,
    recordsMs: Math.max(messages.records_days, messages.retention_days) * DAY_MS,
    defaultCountry: messages.default_country,
    countries: messages.countries,
    shortCodes: messages.short_codes,
    stopWords: messages.stop_words.map(word => word.toLowerCase()),
    confirmOptOut: messages.confirm_opt_out,
    codesPerNumber: two_factor.per_number,
    language: languageOf(messages.language),
    publicUrl,
    authority,
    // Asked for when it is used, because loading the time zones takes milliseconds. A machine with an
    // unknown name in TZ has no zone: its clock is UTC.
    timeZone: () => new Intl.DateTimeFormat().resolvedOptions().timeZone ?? 'UTC',
    alarmRecipients: fixedKeys(config).includes('alarms.recipients')
      ? alarms.recipients.flatMap(text => {
          const number = readWrittenNumber(text, messages.default_country)
          return typeof number === 'string' ? [] : [{ phoneNumber: number.e164, country: regionOf(number) }]
        })
      : null,
    fixed: fixedFields(config),
    defaultPlan: accounts.default_plan,
    planNames: Object.keys(plans),
    plan(name) {
      const plan = Object.hasOwn(plans, name) ? plans[name] : undefined
      if (plan === undefined) return undefined
      return {
        name,
        smsPerDay: plan.sms_per_day,
        twoFactorPerDay: plan.two_factor_per_day,
        callsPerMinute: plan.api_calls_per_minute,
        devices: plan.devices,
        notifications: plan.notifications,
      }
    },
  }
}

/** @param memoryBytes the memory that the gateway may use */
export function messagesOpenMax(memoryBytes = availableMemory()): number {
  return Math.min(Math.floor((memoryBytes * MESSAGES_SHARE) / MESSAGE_BYTES), MESSAGES_OPEN_MAX)
}
