import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { type TestContext, test } from 'node:test'
import { bundled } from '#test/kit/bundle.ts'
import { PairedPhone } from '#test/kit/paired-phone.ts'
import { runHere } from '#test/kit/run-roost.ts'
import { sharedGateway } from '#test/kit/shared-gateway.ts'
import { temporaryDirectory } from '#test/kit/temporary-directory.ts'
import { triggeredOf, WebhookCalls } from '#test/kit/webhook-calls.ts'

const MAIN = bundled('main')

test('an alert that arrives while all phones are offline is sent when one is back', async t => {
  const gateway = await sharedGateway()
  const { accountId, token } = await gateway.newAccount()
  const webhooks = new WebhookCalls(gateway, token)
  const phone = await PairedPhone.pair(gateway, accountId)
  const { url } = await webhooks.create()
  const [message] = triggeredOf(await webhooks.trigger(url, { message: 'disk full' })).messages
  assert.equal(message?.status, 'queued')
  await phone.connect(gateway.url)
  t.after(() => phone.disconnect())
  assert.deepEqual(await phone.whenSent(1), [{ phoneNumber: '+14155550123', message: 'disk full' }])
})

test('after kill -9 an alert is sent, counts towards the cap, and its repeat is known', async t => {
  const cwd = temporaryDirectory(t)
  const first = await serve(t, cwd)
  const { stdout } = await runHere(['device', 'pair', '--account', 'owner@localhost', '--json'], { cwd })
  const phone = await PairedPhone.pairWith(first.url, JSON.parse(stdout).code)
  const token = await runHere(['token', '--account', 'owner@localhost'], { cwd })
  const created = await post(`${first.url}/api/v1/webhooks`, {
    headers: { Authorization: `Bearer ${token.stdout.trim()}` },
    json: {
      ...{ name: 'alerts', recipients: ['+14155550123', '+14155550124'] },
      ...{ maxPerHour: 1, summarizeOverflow: false },
    },
  })
  const path = String(created.data?.['url'])
  const alert = { json: { message: 'disk full' } }
  const accepted = await post(first.url + path, alert)
  assert.equal(accepted.status, 200)
  await end(first.child)

  const next = await serve(t, cwd)
  const again = await post(next.url + path, alert)
  assert.deepEqual(again.data, { ...accepted.data, duplicate: true })
  assert.equal((await post(next.url + path, { json: { message: 'other' } })).status, 429)
  await phone.connect(next.url)
  t.after(() => phone.disconnect())
  const sent = await phone.whenSent(2)
  assert.deepEqual(sent.map(({ phoneNumber }) => phoneNumber).sort(), ['+14155550123', '+14155550124'])
})

async function serve(t: TestContext, cwd: string): Promise<{ child: ChildProcess; url: string }> {
  const child = spawn(process.execPath, [MAIN, 'serve', '--json'], {
    cwd,
    env: { ...process.env, ROOST_HTTP__HOST: '127.0.0.1', ROOST_HTTP__PORT: '0' },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  t.after(() => end(child))
  const [line] = await once(createInterface(child.stdout), 'line')
  return { child, url: JSON.parse(line).url }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const closed = once(child, 'close')
  child.kill('SIGKILL')
  await closed
}

async function post(url: string, { headers = {}, json }: { headers?: object; json: unknown }) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(json),
  })
  const { data } = (await response.json()) as { data?: Record<string, unknown> }
  return { status: response.status, data }
}
