/** What the app is told to report to us, and how to be set. */
import { isOlderApp } from '#contracts/smsgate.ts'
import { HOOK_PATH } from '#transport/device/smsgate-cloud/cloud-paths.ts'
import { appVersionOf, type CloudPorts, requirePhone } from '#transport/device/smsgate-cloud/cloud-ports.ts'
import { shapedJson } from '#transport/http/dialects/shaped-answer.ts'
import type { Answer, Call } from '#transport/http/route.ts'

/** An event that a version does not know ends its reading of the whole list, for good. */
const EVENTS_SINCE = {
  'sms:received': '1.15.0',
  'system:ping': '1.16.0',
  'sms:sent': '1.18.0',
  'sms:delivered': '1.19.0',
  'sms:failed': '1.19.0',
  'mms:downloaded': '1.56.0',
  'app:started': '1.66.0',
} as const
export type AppEvent = keyof typeof EVENTS_SINCE

/** Taken for the version of an app that says none: the oldest that works without Firebase. */
const VERSION_ASSUMED = '1.53.0'
/** Each ping tells the battery and has the app look for messages; it looks every 15 minutes anyway. */
const PING_EVERY_S = 900

/** `GET webhooks`: one for each event that this version of the app knows, to an address of ours. */
export function listWebhooks(ports: CloudPorts, call: Call): Answer {
  const { deviceId } = requirePhone(ports, call)
  const version = appVersionOf(call) ?? VERSION_ASSUMED
  const url = originFor(ports, call) + hookPath(ports, deviceId)
  const known = Object.entries(EVENTS_SINCE).filter(([, since]) => !isOlderApp(version, since))
  // The app keys webhooks of all its servers by these ids.
  const id = (event: string) => `roost_${deviceId.slice(-10).toLowerCase()}_${event.replace(':', '_')}`
  return shapedJson(known.map(([event]) => ({ id: id(event), url, event })))
}

/** `GET settings`: what the gateway needs of the app; all else stays as its user set it. */
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

/** The public address when it is HTTPS; otherwise the one by which the phone has just reached us. */
function originFor({ publicUrl }: CloudPorts, call: Call): string {
  const host = call.header('host') ?? ''
  if (publicUrl.startsWith('https:') || !/^[\w.:[\]-]{1,255}$/.test(host)) return publicUrl
  return `${call.isSecure() ? 'https' : 'http'}://${host}`
}
