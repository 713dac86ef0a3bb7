import type { Sender } from '#domain/alert/sender.ts'
import { alertGroup } from '#domain/alert/senders/alert-group.ts'
import { awsBudget, awsEvent, googleBudget } from '#domain/alert/senders/aws-event.ts'
import {
  backrest,
  borgmatic,
  borgmaticLog,
  duplicacy,
  duplicatiMail,
  duplicatiReport,
  restic,
  resticProfile,
  resticSummary,
  veeam,
} from '#domain/alert/senders/backup-job.ts'
import { btrfsScrub, btrfsStats } from '#domain/alert/senders/btrfs.ts'
import { azurePipeline, jenkins } from '#domain/alert/senders/build-server.ts'
import { frigateReview, reolink } from '#domain/alert/senders/camera.ts'
import { certificate } from '#domain/alert/senders/certificate.ts'
import { certbot } from '#domain/alert/senders/certificate-client.ts'
import { checkmkChat, checkmkMail } from '#domain/alert/senders/checkmk.ts'
import { cloudflareEnd } from '#domain/alert/senders/cloudflare.ts'
import { codeHost, codeHostPing } from '#domain/alert/senders/code-host.ts'
import { consul } from '#domain/alert/senders/consul.ts'
import { newImage, watchtower } from '#domain/alert/senders/container-updates.ts'
import { dashboardRule } from '#domain/alert/senders/dashboard-rule.ts'
import { scrutiny, smartd } from '#domain/alert/senders/disk-health.ts'
import { pfsense } from '#domain/alert/senders/firewall.ts'
import { grafanaOnCall } from '#domain/alert/senders/grafana-oncall.ts'
import { healthchecks } from '#domain/alert/senders/healthchecks.ts'
import { heartbeat, heartbeatCard, heartbeatText } from '#domain/alert/senders/heartbeat.ts'
import { vzdump, vzdumpEnd } from '#domain/alert/senders/hypervisor.ts'
import { authentik } from '#domain/alert/senders/identity-provider.ts'
import { fail2ban, falco, newDevice, wazuh } from '#domain/alert/senders/intrusion.ts'
import { logLines } from '#domain/alert/senders/log-lines.ts'
import { cronMail } from '#domain/alert/senders/mail.ts'
import { makerValues } from '#domain/alert/senders/maker-values.ts'
import { mediaLibrary } from '#domain/alert/senders/media-library.ts'
import { jellyfin, overseerr, plex } from '#domain/alert/senders/media-server.ts'
import { monit, monitLine } from '#domain/alert/senders/monit.ts'
import { nagios, nagiosLine, nagiosMail } from '#domain/alert/senders/nagios.ts'
import { netdataChartMail, netdataMail, netdataReach } from '#domain/alert/senders/netdata.ts'
import { librenmsEnd, meraki } from '#domain/alert/senders/network-gear.ts'
import {
  hyperBackup,
  qnap,
  synology,
  synologyMail,
  truenas,
  unraid,
} from '#domain/alert/senders/network-storage.ts'
import { ohDear } from '#domain/alert/senders/oh-dear.ts'
import { unattendedUpgrades } from '#domain/alert/senders/package-updates.ts'
import { stripe } from '#domain/alert/senders/payment.ts'
import { mdadm, mdstat } from '#domain/alert/senders/raid.ts'
import { recipe } from '#domain/alert/senders/recipe.ts'
import { fritzBox } from '#domain/alert/senders/router.ts'
import { detector, splunk } from '#domain/alert/senders/search-result.ts'
import { sensorMessage } from '#domain/alert/senders/sensor-message.ts'
import { redfish } from '#domain/alert/senders/server-board.ts'
import { shopOrder } from '#domain/alert/senders/shop-order.ts'
import { coolifyBackup, netlify, vercel } from '#domain/alert/senders/site-deploy.ts'
import { stateChange, zigbeeSensor } from '#domain/alert/senders/smart-home.ts'
import { snmpTrap } from '#domain/alert/senders/snmp-trap.ts'
import { statping } from '#domain/alert/senders/statping.ts'
import { subscription } from '#domain/alert/senders/subscription.ts'
import { failedUnits, systemd } from '#domain/alert/senders/systemd.ts'
import { tailscale } from '#domain/alert/senders/tailscale.ts'
import { trackedError } from '#domain/alert/senders/tracked-error.ts'
import { powerPanel, ups, upsCard } from '#domain/alert/senders/ups.ts'
import { uptimeMonitor } from '#domain/alert/senders/uptime-monitor.ts'
import { zabbix, zabbixEvent, zabbixUpdate } from '#domain/alert/senders/zabbix.ts'
import { zed, zpool } from '#domain/alert/senders/zfs.ts'

/** Every known sender, in the order in which they are tried. */
export const SENDERS: readonly Sender[] = [
  recipe,
  grafanaOnCall,
  alertGroup,
  dashboardRule,
  codeHostPing,
  codeHost,
  jenkins,
  azurePipeline,
  netlify,
  vercel,
  coolifyBackup,
  trackedError,
  mediaLibrary,
  jellyfin,
  plex,
  frigateReview,
  reolink,
  sensorMessage,
  overseerr,
  shopOrder,
  stripe,
  splunk,
  detector,
  awsEvent,
  awsBudget,
  googleBudget,
  subscription,
  heartbeat,
  heartbeatCard,
  heartbeatText,
  smartd,
  scrutiny,
  zed,
  zpool,
  btrfsStats,
  btrfsScrub,
  mdadm,
  mdstat,
  cronMail,
  snmpTrap,
  failedUnits,
  systemd,
  monit,
  monitLine,
  fail2ban,
  newDevice,
  falco,
  wazuh,
  authentik,
  powerPanel,
  upsCard,
  ups,
  zabbix,
  zabbixEvent,
  zabbixUpdate,
  checkmkMail,
  checkmkChat,
  nagios,
  nagiosMail,
  nagiosLine,
  netdataMail,
  netdataChartMail,
  netdataReach,
  cloudflareEnd,
  consul,
  borgmatic,
  borgmaticLog,
  backrest,
  duplicatiMail,
  duplicatiReport,
  duplicacy,
  restic,
  resticSummary,
  resticProfile,
  veeam,
  vzdump,
  vzdumpEnd,
  redfish,
  unattendedUpgrades,
  meraki,
  librenmsEnd,
  tailscale,
  synology,
  hyperBackup,
  synologyMail,
  truenas,
  unraid,
  qnap,
  pfsense,
  healthchecks,
  statping,
  ohDear,
  certbot,
  fritzBox,
  certificate,
  uptimeMonitor,
  watchtower,
  newImage,
  stateChange,
  zigbeeSensor,
  makerValues,
  logLines,
]
