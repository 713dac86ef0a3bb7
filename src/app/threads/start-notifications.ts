import { targetPolicyOf } from '#app/config/target-policy.ts'
import type { Log } from '#app/log.ts'
import { NotificationSender } from '#app/threads/notification-sender.ts'
import type { WriterThread } from '#app/threads/writer-thread.ts'
import type { Writer } from '#contracts/commands.ts'
import type { Config } from '#contracts/config.ts'
import type { Pool } from '#contracts/pool-tasks.ts'
import { VERSION } from '#contracts/version.ts'
import { openDeliverer } from '#transport/notification/open-deliverer.ts'
import { openMailer } from '#transport/notification/open-mailer.ts'

export interface NotificationsOptions {
  /** The configuration in force. A port 0 has already been replaced by the free port that was found. */
  readonly config: Config
  readonly log: Log
  readonly writer: Writer
  readonly pool: Pool
  readonly writerThread: Pick<WriterThread, 'onNotificationsDue' | 'mayPass'>
}

/** Starts the notification sender. */
export function startNotifications({ config, log, writer, pool, writerThread }: NotificationsOptions) {
  let policy = targetPolicyOf(config)
  let { mail } = config
  const reportFault = (error: unknown) => log.write('warn', 'notification.fault', { cause: String(error) })
  const deliverer = openDeliverer({
    policy: () => policy,
    version: VERSION,
    reportFault,
  })
  const sender = new NotificationSender({
    writer,
    deliverer,
    mailer: openMailer({ mail: () => mail, reportFault }),
    signBatch: batch => pool.run('sign-notifications', batch),
    mayLeave: writerThread.mayPass,
    nowMs: Date.now,
    random: Math.random,
    faulted: error => log.write('warn', 'notification.delayed', { cause: String(error) }),
  })
  writerThread.onNotificationsDue = () => sender.wake()
  sender.wake()
  return {
    /** Applies the target rules of a new configuration to the next deliveries. */
    async reconfigure(newConfig: Config): Promise<null> {
      policy = targetPolicyOf(newConfig)
      mail = newConfig.mail
      return null
    },
    stop: () => sender.stop(),
  }
}
