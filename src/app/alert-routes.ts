import type { Writer } from '#contracts/commands.ts'
import type { Pool } from '#contracts/pool-tasks.ts'
import type { LogEntry } from '#contracts/thread-frames.ts'
import type { Plan } from '#domain/account/plan.ts'
import type { RateLimiter } from '#domain/limits/rate-limiter.ts'
import type { MessageReader } from '#domain/message/message-reader.ts'
import type { PhoneNumberCache } from '#domain/phone-number/phone-number-cache.ts'
import type { DatabaseSync } from '#storage/sqlite.ts'
import { openWebhookReader } from '#storage/webhook-reader.ts'
import { renderInPool } from '#transport/http/render-in-pool.ts'
import type { Route } from '#transport/http/route.ts'
import { triggerRoutes } from '#transport/http/routes/trigger.ts'
import { webhookRoutes } from '#transport/http/routes/webhooks.ts'

export interface AlertPorts {
  readonly database: DatabaseSync
  readonly writer: Writer
  readonly pool: Pool
  readonly limiter: RateLimiter
  readonly messages: MessageReader
  readonly numbers: PhoneNumberCache
  readonly plan: (name: string) => Plan
  readonly log: (entry: LogEntry) => void
}

/** Webhooks and what triggers them, on one listener. */
export function alertRoutes(ports: AlertPorts): Route[] {
  const shared = { ...ports, webhooks: openWebhookReader(ports.database), wallMs: Date.now }
  return [
    ...webhookRoutes(shared),
    ...triggerRoutes({ ...shared, render: renderInPool(ports.pool, ports.log) }),
  ]
}
