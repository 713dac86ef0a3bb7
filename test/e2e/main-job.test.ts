import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { get } from 'node:https'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { suite, test } from 'node:test'
import { GatewayProcess, IN_CLUSTER } from '#test/kit/gateway-process.ts'
import { HANGS_AFTER_MS } from '#test/kit/patience.ts'
import { NO_CURL, roost, runToEnd, start } from '#test/kit/program.ts'
import { RadioGate } from '#test/kit/radio-gate.ts'
import { selfSigned } from '#test/kit/self-signed.ts'
import { temporaryDirectory } from '#test/kit/temporary-directory.ts'

const timeout = HANGS_AFTER_MS

suite('the main job', () => {
  const curl = { timeout, skip: NO_CURL }
  test('the curl line that the first start prints sends a text in the sandbox', curl, async t => {
    const gateway = await GatewayProcess.startBare(t)
    const line = await gateway.program.stdout.until(/^ *curl /)
    const shell = start(['sh', '-c', line], { cwd: gateway.folder })
    assert.equal(await shell.ended, 0)
    const { success, data } = JSON.parse(await shell.stdout.until(/./))
    assert.equal(success, true)
    gateway.key = /sk_test_\w+/.exec(line)?.[0] ?? ''
    const { timeline } = await gateway.reached(data.messageId, 'delivered')
    const statuses = timeline.map(({ status }) => status)
    assert.deepEqual(statuses, ['queued', 'sending', 'sent', 'delivered'])
  })

  test('an agent with a command sends a text, from queued to delivered', { timeout }, async t => {
    const gateway = await GatewayProcess.start(t)
    const radio = await RadioGate.start(t)
    assert.equal((await gateway.pairWith('00000000', 'nobody')).status, 401)
    const paired = await gateway.run('device', 'pair', '--account', 'owner@localhost')
    const code = paired.stdout.split('\n')[0] ?? ''
    assert.match(code, /^\d{8}$/)
    const args = ['--server', gateway.url, '--code', code, '--driver', 'exec', '--exec', radio.exec]
    const agent = roost(['agent', ...args, '--exit-0-is-delivered'], { cwd: gateway.folder })
    t.after(() => agent.child.kill('SIGKILL'))
    await agent.stderr.until(/^Connected/)
    const id = await gateway.send('hello')
    const call = await radio.called()
    assert.equal((await gateway.message(id)).status, 'sending')
    call.end(0)
    const { timeline, sentAt, deliveredAt, failure } = await gateway.reached(id, 'delivered')
    const statuses = timeline.map(({ status }) => status)
    assert.deepEqual(statuses, ['queued', 'sending', 'sent', 'delivered'])
    assert.ok(sentAt !== null && deliveredAt !== null && failure === null)
    assert.deepEqual(radio.runs, [`${id} 1`])
    agent.child.kill('SIGTERM')
    assert.equal(await agent.ended, 0)
  })
})

suite('the command line', () => {
  const skip = IN_CLUSTER && 'a stopped member of a cluster refuses commands'
  test('works with the gateway running or stopped', { timeout, skip }, async t => {
    const gateway = await GatewayProcess.start(t)
    assert.equal((await gateway.api('GET', '/account/usage')).status, 200)
    await gateway.cli('account', 'create', 'second@example.test', '--plan', 'standard')
    assert.equal(await gateway.stop(), 0)
    const { accounts } = await gateway.cli('account', 'list')
    assert.equal((accounts as unknown[]).length, 2)
    const { key } = await gateway.cli('key', 'create', '--account', 'second@example.test')
    await gateway.restart()
    gateway.key = String(key)
    assert.equal((await gateway.api('GET', '/account/usage')).status, 200)
  })

  test('a second gateway on a data directory ends with 75', { timeout }, async t => {
    const gateway = await GatewayProcess.startBare(t)
    const { code, stderr } = await gateway.run('serve')
    assert.equal(code, 75)
    assert.match(stderr, /gateway\.already_running/)
    assert.equal((await fetch(`${gateway.url}/healthz`)).status, 200)
  })

  test('check-config prints the effective configuration, or every fault', { timeout }, async t => {
    const cwd = temporaryDirectory(t)
    const right = await runToEnd(['check-config', '--json'], { cwd, env: { ROOST_HTTP__PORT: '8081' } })
    assert.equal(right.code, 0)
    assert.equal(JSON.parse(right.stdout).config.http.port, 8081)
    writeFileSync(join(cwd, 'config.toml'), 'nonsense = 1\n[http]\nport = "x"\n')
    const wrong = await runToEnd(['check-config'], { cwd })
    assert.equal(wrong.code, 1)
    for (const path of [/nonsense/, /http\.port/]) assert.match(wrong.stderr, path)
  })
})

suite('addresses', () => {
  test('with a certificate the gateway serves HTTPS at its public address', { timeout }, async t => {
    const { key, cert } = selfSigned('localhost')
    const folder = temporaryDirectory(t)
    writeFileSync(join(folder, 'key.pem'), key)
    writeFileSync(join(folder, 'cert.pem'), cert)
    const gateway = await GatewayProcess.startBare(t, {
      env: {
        ROOST_HTTP__TLS_KEY_FILE: join(folder, 'key.pem'),
        ROOST_HTTP__TLS_CERT_FILE: join(folder, 'cert.pem'),
        ROOST_PUBLIC_URL: 'https://sms.example.test/roost',
      },
    })
    assert.match(gateway.url, /^https:/)
    const ca = readFileSync(join(folder, 'cert.pem'))
    const body = await new Promise((resolve, reject) => {
      const request = get(`${gateway.url}/healthz`, { ca, servername: 'localhost' }, response => {
        resolve(json(response))
      })
      request.on('error', reject)
    })
    assert.deepEqual(body, { success: true, data: { status: 'ok' } })
    const { pairUrl } = await gateway.cli('device', 'pair', '--account', 'owner@localhost')
    assert.ok(String(pairUrl).startsWith('https://sms.example.test/roost/'))
  })
})

suite('limits', () => {
  test('two listeners on one port share one exact rate limit', { timeout }, async t => {
    const env = { ROOST_HTTP__LISTENERS: '2', ROOST_PLANS__FREE__API_CALLS_PER_MINUTE: '10' }
    const gateway = await GatewayProcess.startBare(t, { env })
    await gateway.cli('account', 'create', 'free@example.test', '--plan', 'free')
    const { key } = await gateway.cli('key', 'create', '--account', 'free@example.test', '--test')
    gateway.key = String(key)
    const body = { phoneNumber: '+14155550123', message: 'one of fifty' }
    const startedAt = performance.now()
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => gateway.api('POST', '/sms/send', { body })),
    )
    // The limit allows one more call every six seconds, so none unless the machine is very busy.
    const refilled = Math.floor((performance.now() - startedAt) / 6_000)
    const passed = answers.filter(({ status }) => status === 200)
    const refused = answers.filter(({ status }) => status === 429)
    assert.ok(passed.length >= 10 && passed.length <= 10 + refilled, `${passed.length} passed`)
    assert.equal(passed.length + refused.length, 50)
    for (const { error, headers } of refused) {
      assert.equal(error?.code, 'RATE_LIMIT_EXCEEDED')
      assert.equal(headers.get('x-ratelimit-limit'), '10')
      assert.equal(headers.get('x-ratelimit-remaining'), '0')
      assert.match(headers.get('x-ratelimit-reset') ?? '', /^\d+$/)
      assert.match(headers.get('retry-after') ?? '', /^\d+$/)
    }
  })
})
