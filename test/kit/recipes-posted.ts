/** What programs that post by themselves do by GUIDE's recipes and the files below `/senders`. */
import { runInNewContext } from 'node:vm'
import { parse } from 'yaml'
import {
  blocksOf,
  type Env,
  filled,
  type Recipe,
  type RecipeShell,
  recipe,
  rowOf,
  type Words,
} from '#test/kit/recipe-shell.ts'
import { SENDER_FILES } from '#transport/http/sender-files.ts'

/** A file for a sender, with the address of the webhook. */
function fileOf(name: string, { address }: RecipeShell): string {
  return SENDER_FILES[name]?.write(address) ?? ''
}

/** Runs the script of Zabbix's media type with the values of its macros. */
async function zabbix(shell: RecipeShell, macros: Env): Promise<void> {
  const [media] = parse(fileOf('zabbix.yaml', shell)).zabbix_export.media_types
  const parameters = media.parameters as readonly { name: string; value: string }[]
  const value = JSON.stringify(
    Object.fromEntries(parameters.map(one => [one.name, filled(one.value, macros)])),
  )
  const posted: string[] = []
  class HttpRequest {
    addHeader = () => {}
    getStatus = () => 200
    post(_: string, body: string): string {
      posted.push(body)
      return ''
    }
  }
  runInNewContext(`(function () {${media.script}})()`, { value, HttpRequest })
  await shell.post(posted.join())
}
const zabbixEvent = (id: string, name: string, more: Env = {}) => ({
  '{EVENT.ID}': id,
  '{EVENT.NAME}': name,
  '{EVENT.VALUE}': '1',
  '{EVENT.SEVERITY}': 'High',
  '{EVENT.OPDATA}': '95 %',
  '{EVENT.DURATION}': '2m',
  '{EVENT.UPDATE.STATUS}': '0',
  '{HOST.NAME}': 'nas',
  '{USER.FULLNAME}': 'Eve',
  ...more,
})

/** The body that the text tells people to paste, with its values. */
async function body(shell: RecipeShell, text: string, values: Env): Promise<void> {
  const [found] = /\{"[^`\n]*"\}/.exec(text) ?? []
  await shell.post(filled(found ?? '', values))
}

const kuma = (name: string, status: 0 | 1, msg: string) =>
  JSON.stringify({
    heartbeat: { status, msg, monitorID: name.length },
    monitor: { id: name.length, name },
    msg,
  })
const prometheus = (alertname: string, status: string, summary: string) => ({
  status,
  labels: { alertname, instance: 'nas:9100', severity: 'critical' },
  annotations: { summary },
  fingerprint: alertname.toLowerCase(),
})
const gatus = (name: string, state: string, errors: string) => ({
  '[ENDPOINT_GROUP]': 'home',
  '[ENDPOINT_NAME]': name,
  '[ALERT_TRIGGERED_OR_RESOLVED]': state,
  '[RESULT_ERRORS]': errors.replaceAll('"', '\\"'),
})
const ENDED: Env = { info: 'successful', error: 'failed' }
const proxmox = (node: string, severity: string, message: string) => ({
  '{{ escape title }}': `vzdump backup status (${node}): backup ${ENDED[severity]}`,
  '{{ escape message }}': message,
  '{{ severity }}': severity,
})

export const POSTED_RECIPES: readonly Recipe[] = [
  recipe<string>('Uptime Kuma', {
    events: {
      problem: kuma('nas', 0, 'timeout'),
      other: kuma('cloud', 0, 'timeout'),
      end: kuma('nas', 1, '200 - OK'),
    },
    send: (shell, text) => shell.post(text),
    texts: ['DOWN nas: timeout', 'DOWN cloud: timeout', 'UP nas: 200 - OK'],
    keys: ['id:3', 'id:5'],
  }),
  recipe<ReturnType<typeof prometheus>>('Alertmanager', {
    events: {
      problem: prometheus('InstanceDown', 'firing', 'Instance nas:9100 down'),
      other: prometheus('DiskFull', 'firing', 'Disk of nas:9100 is full'),
      end: prometheus('InstanceDown', 'resolved', 'Instance nas:9100 down'),
    },
    async send(shell, alert) {
      for (const text of [fileOf('alertmanager.yml', shell), blocksOf('Alertmanager')[0] ?? '']) {
        const { route, receivers } = parse(text.replace('ADDRESS', shell.address))
        const [receiver] = receivers
        const labels = route.group_by.map((name: 'alertname') => `${name}="${alert.labels[name]}"`)
        const groupKey = `{}:{${labels.join(', ')}}`
        const body = {
          version: '4',
          groupKey,
          status: alert.status,
          receiver: receiver.name,
          alerts: [alert],
        }
        if (receiver.webhook_configs[0].url === shell.address) await shell.post(JSON.stringify(body))
      }
    },
    texts: [
      'CRITICAL InstanceDown: Instance nas:9100 down',
      'CRITICAL DiskFull: Disk of nas:9100 is full',
      'RESOLVED InstanceDown: nas:9100',
    ],
    keys: ['id:{}:{alertname="InstanceDown"}', 'id:{}:{alertname="DiskFull"}'],
  }),
  recipe<Env>('Zabbix', {
    events: {
      problem: zabbixEvent('27', '/: Disk space is critically low'),
      other: zabbixEvent('28', 'Interface eth0(): Link down'),
      ack: zabbixEvent('27', '/: Disk space is critically low', {
        '{EVENT.UPDATE.STATUS}': '1',
        '{EVENT.UPDATE.ACTION}': 'acknowledged',
        '{EVENT.UPDATE.MESSAGE}': 'I look at it',
      }),
      end: zabbixEvent('27', '/: Disk space is critically low', { '{EVENT.VALUE}': '0' }),
    },
    send: zabbix,
    texts: [
      'PROBLEM High: /: Disk space is critically low on nas (95 %)',
      'PROBLEM High: Interface eth0(): Link down on nas (95 %)',
      'Owner has it: ACKNOWLEDGED /: Disk space is critically low on nas. Eve: I look at it',
      'RESOLVED /: Disk space is critically low on nas (after 2m)',
    ],
    keys: ['id:27', 'id:28'],
  }),
  recipe<Env>('Healthchecks', {
    events: {
      problem: { $NAME: 'Nightly backup', $STATUS: 'down' },
      other: { $NAME: 'Mail queue', $STATUS: 'down' },
      end: { $NAME: 'Nightly backup', $STATUS: 'up' },
    },
    send: (shell, values) => body(shell, rowOf('Healthchecks'), values),
    texts: ['DOWN Nightly backup', 'DOWN Mail queue', 'UP Nightly backup'],
    keys: ['thing:nightly backup', 'thing:mail queue'],
  }),
  recipe<Env>('Proxmox VE', {
    events: {
      problem: proxmox('pve1', 'error', 'VM 101: out of space'),
      other: proxmox('pve2', 'error', 'VM 102: out of space'),
      end: proxmox('pve1', 'info', 'VM 101 was saved'),
    },
    send: (shell, values) => body(shell, rowOf('Proxmox VE'), values),
    texts: [
      'ERROR vzdump backup status (pve1): backup failed - VM 101: out of space',
      'ERROR vzdump backup status (pve2): backup failed - VM 102: out of space',
      'vzdump backup status (pve1): backup successful',
    ],
    keys: ['thing:vzdump backup status pve1 backup', 'thing:vzdump backup status pve2 backup'],
  }),
  recipe<Env>('Gatus', {
    events: {
      problem: gatus('web', 'TRIGGERED', 'Get "https://web": dial tcp: connection refused'),
      other: gatus('nas', 'TRIGGERED', 'timeout'),
      end: gatus('web', 'RESOLVED', ''),
    },
    async send(shell, values) {
      const { custom } = parse((blocksOf('Gatus')[0] ?? '').replace('ADDRESS', shell.address)).alerting
      await shell.post(filled(custom.body, values))
    },
    texts: [
      'TRIGGERED web on home: Get "https://web": dial tcp: connection refused',
      'TRIGGERED nas on home: timeout',
      'RESOLVED web on home',
    ],
    keys: ['thing:web home', 'thing:nas home'],
  }),
  recipe<Words>('Home Assistant', {
    events: {
      problem: ['freezer', 'failed', '-4 °C'],
      other: ['cellar', 'failed', 'water'],
      end: ['freezer', 'ok', '-18 °C'],
    },
    async send(shell, [service = '', state = '', message = '']) {
      const { payload } = parse(fileOf('home-assistant.yaml', shell)).rest_command.roost
      if (payload !== parse(blocksOf('Home Assistant')[0] ?? '').rest_command.sms.payload)
        throw new Error(payload)
      const [, given = ''] = /^\{\{ dict\((.*)\) \| to_json \}\}$/.exec(payload) ?? []
      const values = { service, state, message }
      const fields = given.split(', ').map(pair => pair.split('='))
      const read = ([name = '', value = '']: Words) =>
        [name, values[value as keyof typeof values] ?? value.replaceAll("'", '')] as const
      await shell.post(JSON.stringify(Object.fromEntries(fields.map(read))))
    },
    texts: ['FAILED freezer on home: -4 C', 'FAILED cellar on home: water', 'OK freezer on home: -18 C'],
    keys: ['thing:freezer home', 'thing:cellar home'],
  }),
  recipe<string>('Node-RED', {
    events: { problem: 'roost-failed', end: 'roost-ok' },
    async send(shell, id) {
      const nodes = JSON.parse(fileOf('node-red.json', shell)) as readonly Env[]
      await shell.post(nodes.find(node => node['id'] === id)?.['payload'] ?? '')
    },
    texts: ['FAILED pump on home: no water', 'OK pump on home: no water'],
    keys: ['thing:pump home'],
  }),
  recipe<Words>('apprise', {
    events: {
      problem: ['backup of nas', 'disk full', 'failure'],
      other: ['backup of web', 'disk full', 'failure'],
      end: ['backup of nas', 'done', 'success'],
    },
    async send(shell, [title, message, type]) {
      if (!rowOf('apprise').includes(`-n ${type}`)) throw new Error(`no -n ${type}`)
      await shell.post(JSON.stringify({ version: '1.0', title, message, attachments: [], type }))
    },
    texts: ['FAILED backup of nas: disk full', 'FAILED backup of web: disk full', 'OK backup of nas: done'],
    keys: ['thing:backup nas', 'thing:backup web'],
  }),
]
