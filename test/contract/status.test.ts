import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import WebSocket from 'ws'
import { startGateway } from '#test/kit/gateway.ts'
import { PairedPhone } from '#test/kit/paired-phone.ts'
import { runHere } from '#test/kit/run-roost.ts'
import { temporaryDirectory } from '#test/kit/temporary-directory.ts'

const folder = temporaryDirectory({ after })
// Every backup fails, because a file is in place of the backup folder.
writeFileSync(join(folder, 'backups'), '')
mkdirSync(join(folder, 'data'))
const gateway = await startGateway({
  dataDir: join(folder, 'data'),
  config: { backup: { dir: join(folder, 'backups') } },
})
after(() => gateway.stop())
const owner = await gateway.owner()
const phone = await PairedPhone.pair(gateway, owner.accountId)

const status = async () => (await gateway.call('GET', '/api/v1/status', { token: owner.token })).json?.data
/** Polls the writer until it has exactly these problems, because it learns of them with a delay. */
async function untilFound(...codes: readonly string[]): Promise<void> {
  const list = async () => gateway.ask('health.list', { accountId: owner.accountId })
  for (let found = ''; found !== codes.join(); )
    found = (await list()).map(({ code, severity }) => `${code} ${severity}`).join()
}
const roost = (...args: string[]) =>
  runHere(['status', ...args, '--data', gateway.dataDir], { cwd: '/nowhere' })

test('the status describes the gateway and its problems, such as a failing backup', async () => {
  await phone.connect(gateway.url)
  await untilFound('BACKUP_FAILED warning')
  const told = await status()
  assert.deepEqual(Object.keys(told ?? {}).sort(), ['problems', 'publicUrl', 'startedAt', 'time', 'version'])
  assert.ok(String(told?.['startedAt']) <= String(told?.['time']))
  const [problem] = (told?.['problems'] ?? []) as Record<string, unknown>[]
  assert.deepEqual(Object.keys(problem ?? {}).sort(), [
    'code',
    'fix',
    'message',
    'severity',
    'since',
    'subject',
    'words',
  ])
  const { code, stdout } = await roost()
  assert.equal(code, 0, stdout)
  assert.match(stdout, /\n\nWarning BACKUP_FAILED, .*: The nightly backup fails: .*\.\n {2}Mount /)
})

test('only an account token sees the status', async () => {
  assert.equal((await gateway.call('GET', '/api/v1/status', { key: owner.liveKey })).status, 401)
  assert.equal((await gateway.call('GET', '/api/v1/status')).status, 401)
})

/** Opens a page, and waits until it gets news of a change, so that the writer knows of it. */
async function openPage(): Promise<WebSocket> {
  const headers = { Authorization: `Bearer ${owner.token}` }
  const address = `${gateway.url.replace('http', 'ws')}/api/v1/live`
  const page = new WebSocket(address, 'roost.live.v1', { headers })
  await once(page, 'open')
  let isKnown = false
  page.once('message', () => {
    isKnown = true
  })
  const path = `/api/v1/devices/${phone.deviceId}`
  for (let count = 0; !isKnown; count++) {
    assert.equal(page.readyState, WebSocket.OPEN)
    await gateway.call('PATCH', path, { token: owner.token, json: { name: `phone ${count}` } })
  }
  return page
}

test('an empty battery shows on open pages, in the status, in metrics and in roost status', async () => {
  const page = await openPage()
  const news = new Promise<void>(resolve => {
    page.on('message', data => {
      if (/"type":"problem","id":"BATTERY_LOW"/.test(String(data))) resolve()
    })
  })
  phone.reportBattery(8)
  await untilFound('BATTERY_LOW critical', 'BACKUP_FAILED warning')
  const { code, stdout } = await roost('--json')
  assert.equal(code, 1)
  assert.equal(JSON.parse(stdout).problems[0].code, 'BATTERY_LOW')
  const { text } = await gateway.call('GET', '/metrics')
  assert.match(text, /^roost_problem\{code="BATTERY_LOW",severity="critical"\} 1$/m)
  assert.match(text, /^roost_problem\{code="DISK_FULL",severity="critical"\} 0$/m)
  await news
  page.terminate()
  phone.reportBattery(80)
  await untilFound('BACKUP_FAILED warning')
  assert.equal((await roost()).code, 0)
  await phone.disconnect()
})
