/** Names the component schemas after their exports in `contracts`. */
import type * as v from 'valibot'
import * as account from '#contracts/account.ts'
import * as alertReading from '#contracts/alert-reading.ts'
import * as dayUsage from '#contracts/day-usage.ts'
import * as device from '#contracts/device.ts'
import * as health from '#contracts/health.ts'
import * as inbox from '#contracts/inbox.ts'
import * as live from '#contracts/live.ts'
import * as message from '#contracts/message.ts'
import * as notification from '#contracts/notification.ts'
import * as event from '#contracts/notification-event.ts'
import * as onCall from '#contracts/on-call.ts'
import * as preview from '#contracts/preview.ts'
import * as primitives from '#contracts/primitives.ts'
import * as seenTrigger from '#contracts/seen-trigger.ts'
import * as session from '#contracts/session.ts'
import * as twoFactor from '#contracts/two-factor.ts'
import * as webhook from '#contracts/webhook.ts'
import * as envelope from '#transport/http/openapi/envelope.ts'

const MODULES: readonly object[] = [
  primitives,
  live,
  message,
  inbox,
  device,
  dayUsage,
  health,
  account,
  session,
  twoFactor,
  notification,
  webhook,
  alertReading,
  preview,
  seenTrigger,
  event,
  onCall,
  envelope,
]

/** The name of each schema. If two modules export the same schema, the first name counts. */
export function namedSchemas(): Map<v.GenericSchema, string> {
  const names = new Map<v.GenericSchema, string>()
  for (const module of MODULES)
    for (const [name, value] of Object.entries(module))
      if (isSchema(value) && !names.has(value)) names.set(value, name)
  return names
}

function isSchema(value: unknown): value is v.GenericSchema {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'schema'
}
