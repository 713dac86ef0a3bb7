import type { Config } from '#contracts/config.ts'
import type { Settings } from '#domain/world.ts'
export function settingsOf(config: Config, publicUrl: string): Settings {
  return {
    offlineAfterMs: config.devices.offline_after_s * 1000,
    segmentsPerMinute: config.devices.segments_per_minute,
    segmentsBurst: config.devices.segments_burst,
    messageTtlMs: config.messages.ttl_s * 1000,
    publicUrl,
    planNames: Object.keys(config.plans),
    plan(name) {
      const plan = config.plans[name]
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
