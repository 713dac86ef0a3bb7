import { targetPolicyOf } from '#app/config/target-policy.ts'
import type { Log } from '#app/log.ts'
import { NotificationSender } from '#app/threads/notification-sender.ts'
import type { WriterThread } from '#app/threads/writer-thread.ts'
import { VERSION } from '#app/version.ts'
import type { Writer } from '#contracts/commands.ts'
import type { Config } from '#contracts/config.ts'
import {
  NOTIFICATION_SIGN_MS_MAX,
  NOTIFICATIONS_KEPT_DAYS,
  NOTIFICATIONS_PRUNE_EVERY_MS,
  NOTIFICATIONS_PRUNED_MAX,
} from '#contracts/notification-bounds.ts'
import type { Pool } from '#contracts/pool-tasks.ts'
import { DAY_MS } from '#domain/time.ts'
import { createDeliverer } from '#transport/notification/deliver.ts'

export interface NotificationsOptions {
  /** With the port that the gateway listens on. */
  readonly config: Config
  readonly log: Log
  readonly writer: Writer
  readonly pool: Pool
  readonly writerThread: Pick<WriterThread, 'onNotificationsDue'>
}

/** Starts sending what is due, and keeps on until stopped. */
export function startNotifications({ config, log, writer, pool, writerThread }: NotificationsOptions) {
  const policy = targetPolicyOf(config)
  const deliverer = createDeliverer({
    policy,
    version: VERSION,
    reportFault: error => log.write('warn', 'notification.fault', { cause: String(error) }),
  })
  const sender = new NotificationSender({
    writer,
    deliverer,
    signBatch: batch => pool.run('sign-notifications', batch, { timeoutMs: NOTIFICATION_SIGN_MS_MAX }),
    nowMs: Date.now,
    random: Math.random,
    faulted: error => log.write('warn', 'notification.delayed', { cause: String(error) }),
  })
  let days = keptDays(config)
  const prune = () => pruneOld(writer, days).catch(() => {})
  const timer = setInterval(prune, NOTIFICATIONS_PRUNE_EVERY_MS)
  void prune()
  writerThread.onNotificationsDue = () => sender.wake()
  sender.wake()
  return {
    /** The targets of the next deliveries, and the retention of the next clean-up. */
    async reconfigure(fresh: Config): Promise<null> {
      Object.assign(policy, targetPolicyOf(fresh))
      days = keptDays(fresh)
      return null
    },
    async stop() {
      clearInterval(timer)
      await sender.stop()
    },
  }
}

function keptDays({ messages }: Config): number {
  return Math.min(NOTIFICATIONS_KEPT_DAYS, messages.retention_days)
}

async function pruneOld(writer: Writer, days: number): Promise<void> {
  const before = Date.now() - days * DAY_MS
  while ((await writer.ask('notification.prune', { before })) === NOTIFICATIONS_PRUNED_MAX);
}
