import type { Sender } from '#domain/alert/sender.ts'
import { alertGroup } from '#domain/alert/senders/alert-group.ts'
import { borgmatic, duplicatiMail } from '#domain/alert/senders/backup-job.ts'
import { certificate } from '#domain/alert/senders/certificate.ts'
import { codeHost, codeHostPing } from '#domain/alert/senders/code-host.ts'
import { dashboardRule } from '#domain/alert/senders/dashboard-rule.ts'
import { diskHealth } from '#domain/alert/senders/disk-health.ts'
import { healthchecks } from '#domain/alert/senders/healthchecks.ts'
import { heartbeat } from '#domain/alert/senders/heartbeat.ts'
import { fail2ban } from '#domain/alert/senders/intrusion.ts'
import { cronMail } from '#domain/alert/senders/mail.ts'
import { mediaLibrary } from '#domain/alert/senders/media-library.ts'
import { monit } from '#domain/alert/senders/monit.ts'
import { netdataMail } from '#domain/alert/senders/netdata.ts'
import { synology } from '#domain/alert/senders/network-storage.ts'
import { unattendedUpgrades } from '#domain/alert/senders/package-updates.ts'
import { shopOrder } from '#domain/alert/senders/shop-order.ts'
import { systemd } from '#domain/alert/senders/systemd.ts'
import { trackedError } from '#domain/alert/senders/tracked-error.ts'
import { ups } from '#domain/alert/senders/ups.ts'
import { uptimeMonitor } from '#domain/alert/senders/uptime-monitor.ts'
import { zabbix } from '#domain/alert/senders/zabbix.ts'

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
  ...diskHealth,
  cronMail,
  systemd,
  monit,
  fail2ban,
  ups,
  zabbix,
  netdataMail,
  borgmatic,
  duplicatiMail,
  unattendedUpgrades,
  synology,
  healthchecks,
  certificate,
  uptimeMonitor,
]
