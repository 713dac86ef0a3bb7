/** Converts the configuration to the settings of the domain. */
import { pairingAuthority } from '#app/certificate/own-certificate.ts'
import type { Config } from '#contracts/config.ts'
import type { PairingAuthority } from '#contracts/device.ts'
import { parsePhoneNumber, regionOf } from '#domain/phone-number/parse-phone-number.ts'
import type { Settings } from '#domain/settings.ts'
import { DAY_MS } from '#domain/time.ts'

/** Converts the configuration, and adds the current certificate authority of this machine. */
export function settingsWithAuthority(config: Config, publicUrl: string): Settings {
  return settingsOf(config, { publicUrl, authority: pairingAuthority(config) })
}

interface PairingFacts {
  readonly publicUrl: string
  readonly authority: PairingAuthority | null
}

export function settingsOf(config: Config, { publicUrl, authority }: PairingFacts): Settings {
  const { alarms, devices, messages, plans, two_factor } = config
  return {
    offlineAfterMs: devices.offline_after_s * 1000,
    segmentsPerMinute: devices.segments_per_minute,
    segmentsBurst: devices.segments_burst,
    messageTtlMs: messages.ttl_s * 1000,
    retentionMs: messages.retention_days * DAY_MS,
    recordsMs: Math.max(messages.records_days, messages.retention_days) * DAY_MS,
    defaultCountry: messages.default_country,
    codesPerNumber: two_factor.per_number,
    publicUrl,
    authority,
    alarmRecipients: alarms.recipients.flatMap(text => {
      const number = parsePhoneNumber(text)
      return number === null ? [] : [{ phoneNumber: number.e164, country: regionOf(number) }]
    }),
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
