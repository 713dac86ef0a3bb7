/** The webhooks and settings that the app fetches from the gateway. */
import { isOlderApp } from '#contracts/smsgate.ts'
import { HOOK_PATH } from '#transport/device/smsgate-cloud/cloud-paths.ts'
import { appVersionOf, type CloudPorts, requirePhone } from '#transport/device/smsgate-cloud/cloud-ports.ts'
import type { Answer, Call } from '#transport/http/route.ts'
import { shapedJson } from '#transport/http/shaped-answer.ts'

/**
 * The app version that introduced each event. An older version rejects a list that contains an event unknown
 * to it.
 */
const EVENTS_SINCE = {
  'sms:received': '1.15.0',
  'system:ping': '1.16.0',
  'sms:sent': '1.18.0',
  'sms:delivered': '1.19.0',
  'sms:failed': '1.19.0',
  'mms:downloaded': '1.56.0',
  'app:started': '1.66.0',
  'sms:cancelled': '1.67.0',
} as const
export type AppEvent = keyof typeof EVENTS_SINCE

/** Assumed for an app that does not name its version: the oldest that works without Firebase. */
const VERSION_ASSUMED = '1.53.0'
/** Interval of the app's pings. A ping reports the battery, and the app fetches messages with it. */
const PING_EVERY_S = 900

/** `GET webhooks`: one webhook for each event that this app version knows, all to `HOOK_PATH`. */
export function listWebhooks(ports: CloudPorts, call: Call): Answer {
  const { deviceId } = requirePhone(ports, call)
  const version = appVersionOf(call) ?? VERSION_ASSUMED
  const url = originFor(ports, call) + hookPath(ports, deviceId)
  const known = Object.entries(EVENTS_SINCE).filter(([, since]) => !isOlderApp(version, since))
  // The ids must be unique, because the app stores the webhooks of all its servers together.
  const id = (event: string) => `roost_${deviceId.slice(-10).toLowerCase()}_${event.replace(':', '_')}`
  return shapedJson(known.map(([event]) => ({ id: id(event), url, event })))
}

/** `GET settings`: the settings that the gateway needs. The user's other settings stay. */
export function showSettings(ports: CloudPorts, call: Call): Answer {
  const { deviceId } = requirePhone(ports, call)
  const { secrets } = ports
  return shapedJson({
    gateway: { notification_channel: 'SSE_ONLY', private_token: secrets.recoveryToken(deviceId) },
    messages: { processing_order: 'FIFO' },
    ping: { interval_seconds: PING_EVERY_S },
    webhooks: { signing_key: secrets.signingKey(deviceId), internet_required: false },
  })
}

function hookPath({ secrets }: CloudPorts, deviceId: string): string {
  return HOOK_PATH.replace('{device}', deviceId).replace('{secret}', secrets.hookSecret(deviceId))
}

/** The public URL if it is HTTPS; otherwise the address at which the phone has just reached the gateway. */
function originFor({ publicUrl }: CloudPorts, call: Call): string {
  const host = call.header('host') ?? ''
  if (publicUrl.startsWith('https:') || !/^[\w.:[\]-]{1,255}$/.test(host)) return publicUrl
  return `${call.isSecure() ? 'https' : 'http'}://${host}`
}
