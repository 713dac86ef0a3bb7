/** Systems that post alerts: examples of their bodies, and the steps to give them the address. */

import { t } from '#console/language.ts'

export interface Recipe {
  readonly name: string
  readonly contentType: string
  readonly down: string
  readonly up: string
  /** The name of its file below `/senders`, which contains the address. */
  readonly file?: string
  /** The steps to take in the system. The page shows the address above them. */
  readonly steps: readonly string[]
}

const JSON_TYPE = 'application/json'
const pretty = (value: object) => JSON.stringify(value, null, 2)

function kuma(status: 0 | 1, msg: string): string {
  return pretty({
    heartbeat: { status, msg, time: '2026-01-31 12:00:00.000' },
    monitor: { name: 'Nextcloud', url: 'https://cloud.example.lan' },
    msg: `[Nextcloud] [${status === 0 ? '🔴 Down' : '✅ Up'}] ${msg}`,
  })
}

function alertmanager(status: 'firing' | 'resolved'): string {
  const labels = { alertname: 'DiskFull', instance: 'nas', severity: 'critical' }
  const annotations = { summary: 'The disk of nas is 97 % full' }
  return pretty({ version: '4', status, receiver: 'roost', alerts: [{ status, labels, annotations }] })
}

function grafana(status: 'firing' | 'resolved'): string {
  const labels = { alertname: 'High CPU', host: 'pve1' }
  const annotations = { summary: 'CPU above 90 % for 5 minutes' }
  const title = `[${status.toUpperCase()}:1] High CPU`
  return pretty({ status, orgId: 1, title, alerts: [{ status, labels, annotations }] })
}

/** The four fields that tell what Roost needs to know. */
function fields(service: string, state: string, message = '') {
  return pretty({ host: 'home', service, state, message })
}

function zabbix(value: 0 | 1): string {
  const about = { event_name: 'No ping for 3 minutes', event_severity: 'High', host_name: 'nas' }
  return pretty({ event_id: '27', event_value: String(value), ...about, event_duration: '12m' })
}

/** Its steps come with the mail address of the webhook. */
export const MAIL_RECIPE = t('E-mail')

export const RECIPES: readonly Recipe[] = [
  {
    name: 'Uptime Kuma',
    contentType: JSON_TYPE,
    down: kuma(0, 'connect ECONNREFUSED 192.168.1.20:443'),
    up: kuma(1, '200 - OK'),
    steps: [
      t('In Uptime Kuma open Settings, Notifications, Setup Notification.'),
      t('Choose the type Webhook and paste the address as Post URL. Keep Request Body at its JSON preset.'),
      t('Press Test, then Save, and switch it on for your monitors.'),
    ],
  },
  {
    name: 'Grafana',
    file: 'grafana.yaml',
    contentType: JSON_TYPE,
    down: grafana('firing'),
    up: grafana('resolved'),
    steps: [
      t('Open Alerting, Contact points, and add one of the type Webhook.'),
      t('Paste the address as URL, method POST.'),
      t('Press Test, then save, and choose it in a notification policy.'),
    ],
  },
  {
    name: 'Alertmanager',
    file: 'alertmanager.yml',
    contentType: JSON_TYPE,
    down: alertmanager('firing'),
    up: alertmanager('resolved'),
    steps: [
      t('In alertmanager.yml add a receiver with webhook_configs and the address as its url.'),
      t('Name that receiver in a route, and reload Alertmanager.'),
    ],
  },
  {
    name: 'Home Assistant',
    file: 'home-assistant.yaml',
    contentType: JSON_TYPE,
    down: pretty({ title: 'Water', message: 'Leak in the cellar', data: {} }),
    up: pretty({ title: 'Water', message: 'The cellar is dry again', data: {} }),
    steps: [
      t('In configuration.yaml add a notifier: platform rest, resource: the address, method: POST_JSON.'),
      t('Restart, then call its notify action from an automation or the developer tools.'),
    ],
  },
  {
    name: 'Healthchecks',
    contentType: JSON_TYPE,
    down: fields('Nightly backup', 'down'),
    up: fields('Nightly backup', 'up'),
    steps: [
      t('Open Integrations and add a Webhook.'),
      t('Paste the address for both events, method POST, with the body as on this page.'),
    ],
  },
  {
    name: 'Proxmox',
    file: 'proxmox.cfg',
    contentType: JSON_TYPE,
    down: pretty({
      title: 'vzdump backup status: failed',
      message: 'VM 101 was not saved',
      severity: 'error',
    }),
    up: pretty({ title: 'vzdump backup status: successful', message: 'VM 101 was saved', severity: 'info' }),
    steps: [
      t('Open Datacenter, Notifications, Add, Webhook.'),
      t('Paste the address, method POST, and a JSON body with title, message and severity.'),
      t('Press Test, and choose it in a matcher.'),
    ],
  },
  {
    name: 'Gatus',
    contentType: JSON_TYPE,
    down: fields('router', 'TRIGGERED', 'condition [STATUS] == 200 failed'),
    up: fields('router', 'RESOLVED'),
    steps: [
      t('In the configuration add alerting, custom, with the address as url and method POST.'),
      t('Give the body the fields host, service, state and message, and name the alert in your endpoints.'),
    ],
  },
  {
    name: 'Zabbix',
    file: 'zabbix.yaml',
    contentType: JSON_TYPE,
    down: zabbix(1),
    up: zabbix(0),
    steps: [
      t('Open Alerts, Media types, Import, and choose the file.'),
      t('Add it to your user, and to an action with recovery operations and update operations.'),
    ],
  },
  {
    name: 'Node-RED',
    file: 'node-red.json',
    contentType: JSON_TYPE,
    down: fields('pump', 'failed', 'no water'),
    up: fields('pump', 'ok'),
    steps: [t('Open Import and choose the file.'), t('Wire your flow to the node that posts, and deploy.')],
  },
  {
    name: 'apprise',
    file: 'apprise.conf',
    contentType: JSON_TYPE,
    down: pretty({ title: 'Backup', message: 'The backup of nas has failed' }),
    up: pretty({ title: 'Backup', message: 'The backup of nas has finished' }),
    steps: [t('Give apprise the file by --config, or copy the address in it.')],
  },
  {
    name: MAIL_RECIPE,
    contentType: 'message/rfc822',
    down: 'Subject: Printer: paper jam\n\nOpen the rear cover of the printer in the office.',
    up: 'Subject: Printer: ready again\n\nThe paper jam is cleared.',
    steps: [
      t('For a printer, a UPS, a NAS or a camera: open its settings for e-mail.'),
      t('Type in the mail server and the port below, and this address as the recipient:'),
    ],
  },
  {
    name: 'curl',
    contentType: 'application/x-www-form-urlencoded',
    down: 'host=nas&service=backup&state=failed&message=disk+full',
    up: 'host=nas&service=backup&state=ok&message=',
    steps: [t('Run the command below, from a script or from cron.')],
  },
]
