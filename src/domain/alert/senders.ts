import type { Sender } from '#domain/alert/sender.ts'
import { alertGroup } from '#domain/alert/senders/alert-group.ts'
import { codeHost, codeHostPing } from '#domain/alert/senders/code-host.ts'
import { dashboardRule } from '#domain/alert/senders/dashboard-rule.ts'
import { heartbeat } from '#domain/alert/senders/heartbeat.ts'
import { mediaLibrary } from '#domain/alert/senders/media-library.ts'
import { shopOrder } from '#domain/alert/senders/shop-order.ts'
import { trackedError } from '#domain/alert/senders/tracked-error.ts'
import { uptimeMonitor } from '#domain/alert/senders/uptime-monitor.ts'

/** Every sender that is known, in the order in which they are asked. */
export const SENDERS: readonly Sender[] = [
  alertGroup,
  dashboardRule,
  codeHostPing,
  codeHost,
  trackedError,
  mediaLibrary,
  shopOrder,
  heartbeat,
  uptimeMonitor,
]
