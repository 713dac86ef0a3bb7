/** Each file for a sender contains a webhook's address. An alert that the sender posts there is texted. */
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'
import { runInNewContext } from 'node:vm'
import { parse } from 'yaml'
import type { SharedGateway } from '#test/kit/gateway.ts'
import { PairedPhone } from '#test/kit/paired-phone.ts'
import { sharedGateway } from '#test/kit/shared-gateway.ts'
import { temporaryDirectory } from '#test/kit/temporary-directory.ts'
import { WebhookCalls } from '#test/kit/webhook-calls.ts'
import { SENDER_FILES } from '#transport/http/sender-files.ts'

let gateway: SharedGateway
let phone: PairedPhone
let token: string

beforeEach(async () => {
  gateway = await sharedGateway()
  const owner = await gateway.newAccount()
  phone = await PairedPhone.pair(gateway, owner.accountId)
  await phone.connect(gateway.url)
  const { url } = await new WebhookCalls(gateway, owner.token).create({})
  token = url.split('/').at(-1) ?? ''
})
afterEach(() => phone.disconnect())

async function file(name: string): Promise<string> {
  const { status, text, headers } = await gateway.call('GET', `/senders/${name}?token=${token}`)
  assert.equal(status, 200, text)
  assert.match(headers.get('content-disposition') ?? '', /^attachment; filename="roost-/)
  return text
}

/** Posts as the system of the file would. @returns the text that reaches the phone */
async function texted(address: string, body: string, type = 'application/json'): Promise<string | undefined> {
  const count = phone.sent.length
  const path = new URL(address).pathname
  const answer = await gateway.call('POST', path, { body, headers: { 'Content-Type': type } })
  assert.equal(answer.status, 200, answer.text)
  return (await phone.whenSent(count + 1)).at(-1)?.message
}

test('every file contains the address of the webhook, or a placeholder without a token', async () => {
  for (const name of Object.keys(SENDER_FILES)) {
    assert.ok((await file(name)).includes(token), name)
    for (const query of ['', '?token=', `?token=${token}'%0Aroute:`]) {
      const { text } = await gateway.call('GET', `/senders/${name}${query}`)
      assert.ok(text.includes('TOKEN') && !text.includes(token), `${name}${query}`)
    }
  }
  const missing = await gateway.call('GET', '/senders/nothing.yaml')
  assert.equal(missing.status, 404)
  assert.match(missing.json?.error.message ?? '', /alertmanager\.yml/)
  assert.ok(!JSON.stringify(gateway.log).includes(token))
})

const NO_AMTOOL =
  spawnSync('amtool', ['--version']).error === undefined
    ? false
    : 'amtool is not installed: apt-get install prometheus-alertmanager'

test('the file of Alertmanager makes it post what is texted', async () => {
  const text = await file('alertmanager.yml')
  const { receivers, route } = parse(text)
  assert.equal(route.receiver, receivers[0].name)
  const labels = { alertname: 'DiskFull', instance: 'nas' }
  const alerts = [{ status: 'firing', labels, annotations: { summary: 'Disk 97 % full' } }]
  const body = JSON.stringify({ version: '4', status: 'firing', receiver: 'roost', alerts })
  assert.match((await texted(receivers[0].webhook_configs[0].url, body)) ?? '', /DiskFull.*97 % full/)
})

test('amtool accepts the file of Alertmanager', { skip: NO_AMTOOL }, async t => {
  const text = await file('alertmanager.yml')
  const folder = temporaryDirectory(t)
  writeFileSync(join(folder, 'alertmanager.yml'), text)
  assert.match(
    execFileSync('amtool', ['check-config', join(folder, 'alertmanager.yml')]).toString(),
    /SUCCESS/,
  )
})

test('the files for Grafana and Home Assistant have the address in the right fields', async () => {
  const [point] = parse(await file('grafana.yaml')).contactPoints
  const [{ type, uid, settings }] = point.receivers
  assert.deepEqual([type, uid, settings.httpMethod], ['webhook', 'roost', 'POST'])
  const grafana = { title: '[FIRING:1] CPU', status: 'firing', message: 'CPU above 90 %' }
  assert.match((await texted(settings.url, JSON.stringify(grafana))) ?? '', /CPU/)
  const [notifier] = parse(await file('home-assistant.yaml')).notify
  assert.deepEqual([notifier.platform, notifier.method], ['rest', 'POST_JSON'])
  const said = { [notifier.title_param_name]: 'Water', [notifier.message_param_name]: 'Leak in the cellar' }
  assert.equal(await texted(notifier.resource, JSON.stringify(said)), 'Water: Leak in the cellar')
})

test('Zabbix: the media type’s script fails if the answer is an error', async () => {
  const [media] = parse(await file('zabbix.yaml')).zabbix_export.media_types
  assert.equal(media.type, 'WEBHOOK')
  const operations = media.message_templates.map((one: Record<string, string>) => one['operation_mode'])
  assert.deepEqual(operations, ['PROBLEM', 'RECOVERY', 'UPDATE'])
  const run = (status: number) => {
    class HttpRequest {
      addHeader(): void {}
      post = () => 'answer'
      getStatus = () => status
    }
    return runInNewContext(`(function () {${media.script}})()`, { value: '{"url":"x"}', HttpRequest })
  }
  assert.equal(run(200), 'OK')
  assert.throws(() => run(404), /Roost answered 404: answer/)
})

test('the files for Proxmox, Node-RED and apprise post the alert', async () => {
  const proxmox = await file('proxmox.cfg')
  const field = (name: string) => new RegExp(`^\\t${name} (.*)$`, 'm').exec(proxmox)?.[1] ?? ''
  const decode = (text: string) => Buffer.from(text, 'base64').toString()
  assert.equal(decode(field('header').split('value=')[1] ?? ''), 'application/json')
  const body = decode(field('body'))
    .replace('{{ escape title }}', 'vzdump backup status: failed')
    .replace('{{ escape message }}', 'VM 101 was not saved')
    .replace('{{ severity }}', 'error')
  assert.match(
    (await texted(field('url'), body)) ?? '',
    /vzdump backup status: failed - VM 101 was not saved/,
  )

  const nodes = JSON.parse(await file('node-red.json')) as readonly Record<string, unknown>[]
  const ids = new Set(nodes.map(({ id }) => id))
  for (const { wires } of nodes)
    for (const id of ((wires ?? []) as readonly (readonly string[])[]).flat()) assert.ok(ids.has(id))
  const request = nodes.find(({ type }) => type === 'http request')
  assert.equal(request?.['method'], 'POST')
  const pump = await texted(String(request?.['url']), 'The pump has stopped', 'text/plain')
  assert.match(pump ?? '', /pump has stopped/)

  const line = (await file('apprise.conf')).split('\n').find(one => one.startsWith('json')) ?? ''
  const json = { version: '1.0', title: 'Backup', message: 'Repo locked', type: 'failure', attachments: [] }
  assert.match((await texted(line, JSON.stringify(json))) ?? '', /Backup: Repo locked/)
})

test('the list of files links to each of them, with the token, from any folder of a proxy', async () => {
  for (const path of ['/senders', '/senders/']) {
    const { status, text } = await gateway.call('GET', `${path}?token=${token}`)
    assert.equal(status, 200)
    const links = [...text.matchAll(/href="([^"]*)"/g)].map(([, link]) => link ?? '')
    const names = ['mail', ...Object.keys(SENDER_FILES)]
    assert.equal(links.length, names.length)
    for (const link of links) {
      const { pathname, searchParams } = new URL(link, `http://proxy/roost${path}`)
      assert.ok(pathname.startsWith('/roost/senders/'), pathname)
      assert.ok(names.includes(pathname.slice('/roost/senders/'.length)), pathname)
      assert.equal(searchParams.get('token'), token)
    }
  }
  const { text } = await gateway.call('GET', '/senders/?token="><script>')
  assert.ok(text.includes('?token=') && !text.includes('script'))
})

test('behind the path of a proxy, every file has the address with that path', () => {
  const address = `https://example.org/roost/api/v1/webhook/${token}`
  for (const [name, { write }] of Object.entries(SENDER_FILES))
    assert.ok(
      write(address).includes(address.replace(/^https/, name.startsWith('apprise') ? 'jsons' : 'https')),
    )
})
