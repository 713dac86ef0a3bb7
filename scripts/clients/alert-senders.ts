/** Programs that send alerts, with the configuration that Roost offers or their documentation shows. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { type Client, type Job, run } from '#scripts/clients/client.ts'
import { freePort } from '#test/kit/free-ports.ts'
import { SENDER_FILES } from '#transport/http/sender-files.ts'

export const ALERT_SENDERS: readonly Client[] = [
  {
    name: 'Alertmanager with our configuration file',
    needs: { debian: 'prometheus-alertmanager', test: 'prometheus-alertmanager --version' },
    credential: 'webhook',
    send: sendByAlertmanager,
  },
  {
    name: 'Node-RED with our configuration file',
    needs: { npm: ['node-red@5.0.7'] },
    credential: 'webhook',
    send: sendByNodeRed,
  },
  {
    name: 'Netdata for Gotify',
    needs: { unpacked: 'netdata-plugins-bash' },
    credential: 'webhook',
    send: sendByNetdata,
  },
]

/** The configuration file that Roost offers for a sender, with the address of this webhook. */
function textOf(name: string, { url, secret }: Job): string {
  return SENDER_FILES[name]?.write(`${url}/api/v1/webhook/${secret}`) ?? ''
}

/** Writes the configuration file of a sender into the folder of the job. Returns its path. */
export function writeSenderFile(name: string, job: Job): string {
  const file = join(job.folder, name)
  writeFileSync(file, textOf(name, job))
  return file
}

/** Starts Alertmanager, raises an alert with amtool, and waits until Alertmanager logs its notification. */
async function sendByAlertmanager(job: Job): Promise<boolean> {
  const config = join(job.folder, 'alertmanager.yml')
  const configText = textOf('alertmanager.yml', job).replace('  group_by:', '  group_wait: 0s\n  group_by:')
  writeFileSync(config, configText)
  const address = `127.0.0.1:${await freePort()}`
  const child = spawn(
    'prometheus-alertmanager',
    [
      `--config.file=${config}`,
      `--storage.path=${mkdtempSync(join(job.folder, 'data-'))}`,
      `--web.listen-address=${address}`,
      '--cluster.listen-address=',
      '--log.level=debug',
    ],
    { stdio: ['ignore', 'ignore', 'pipe'], timeout: 60_000 },
  )
  const ended = once(child, 'exit')
  try {
    for await (const line of createInterface(child.stderr)) {
      if (line.includes('Listening on')) {
        const args = ['alert', 'add', `--alertmanager.url=http://${address}`, `alertname=${job.text}`]
        if (!(await run('amtool', args, job))) return false
      }
      if (line.includes('Notify success')) return true
      if (line.includes('Notify for alerts failed')) return false
    }
    throw new Error('Alertmanager ended before it notified')
  } finally {
    child.kill()
    await ended
  }
}

/** Starts Node-RED with our flow, which injects its text at the start, and reads the answer in its log. */
async function sendByNodeRed(job: Job): Promise<boolean> {
  const nodes = JSON.parse(textOf('node-red.json', job)) as readonly Readonly<Record<string, unknown>>[]
  const flow = nodes.map(node => {
    if (node['type'] === 'inject') return { ...node, payload: job.text, once: true }
    return node['type'] === 'debug' ? { ...node, active: true, console: true } : node
  })
  writeFileSync(join(job.folder, 'flows.json'), JSON.stringify(flow))
  const settings = join(job.folder, 'settings.cjs')
  const port = await freePort()
  const quiet = 'httpAdminRoot: false, telemetry: { enabled: false }'
  writeFileSync(settings, `module.exports = { uiHost: '127.0.0.1', uiPort: ${port}, ${quiet} }`)
  const red = join(job.folder, 'node_modules', 'node-red', 'red.js')
  const args = [red, '--userDir', job.folder, '--settings', settings, join(job.folder, 'flows.json')]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'], timeout: 60_000 })
  const ended = once(child, 'exit')
  try {
    for await (const line of createInterface(child.stdout)) {
      if (line.includes('"success":true')) return true
      if (line.includes('"success":false')) return false
    }
    throw new Error('Node-RED ended before it logged an answer')
  } finally {
    child.kill()
    await ended
  }
}

/** Runs Netdata's script for alerts as its daemon does. Its exit code says whether it has sent the alert. */
function sendByNetdata(job: Job): Promise<boolean> {
  const { url, secret, text, folder } = job
  const config = [
    'SEND_EMAIL="NO"',
    'SEND_GOTIFY="YES"',
    `GOTIFY_APP_URL="${url}"`,
    `GOTIFY_APP_TOKEN="${secret}"`,
  ]
  writeFileSync(join(folder, 'health_alarm_notify.conf'), `${config.join('\n')}\n`)
  const netdata = join(folder, 'usr', 'lib', 'netdata')
  const state = [
    'sysadmin',
    'tower',
    '1',
    '1',
    '1',
    '1780000000',
    text,
    'disk.space',
    '/',
    'CRITICAL',
    'CLEAR',
  ]
  const values = ['97', '12', 'disks.conf', '60', '0', '%', 'space used', '97%', '12%', '', '', '0', '1']
  const variables = [
    `NETDATA_USER_CONFIG_DIR=${folder}`,
    `NETDATA_STOCK_CONFIG_DIR=${netdata}/conf.d`,
    `NETDATA_CACHE_DIR=${folder}`,
  ]
  const script = `${netdata}/plugins.d/alarm-notify.sh`
  return run('env', [...variables, script, ...state, ...values], job)
}
