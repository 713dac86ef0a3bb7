import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { notificationHeaders } from '#domain/notification/notification-headers.ts'
import { signNotifications } from '#pool/tasks/sign-notifications.ts'
import { answering, startReceiver } from '#test/kit/rogue-receiver.ts'
import { createDeliverer } from '#transport/notification/deliver.ts'
import { createTargetPolicy } from '#transport/notification/target-guard.ts'

/** How to run each snippet, a command that succeeds if its runtime is installed, and its Debian package. */
const RUNTIMES = [
  { file: 'verify.ts', command: process.execPath, before: [], probe: ['--version'], debian: 'nodejs' },
  { file: 'verify.py', command: 'python3', before: [], probe: ['--version'], debian: 'python3' },
  { file: 'verify.go', command: 'go', before: ['run'], probe: ['version'], debian: 'golang-go' },
  { file: 'verify.sh', command: 'sh', before: [], probe: ['-c', 'openssl version'], debian: 'openssl' },
  { file: 'verify.php', command: 'php', before: [], probe: ['--version'], debian: 'php-cli' },
] as const

const SECRET = `whsec_${randomBytes(32).toString('base64')}`
const BODY = '{"event":"sms.received","data":{"message":"Grüße 👋\\u0000 \'$HOME\' \\\\n"}}\n'

/** The body and the signature that a receiver gets in a real delivery. */
async function delivered(t: TestContext) {
  const receiver = await startReceiver(answering(204))
  const policy = createTargetPolicy({
    allowedHosts: ['127.0.0.1'],
    allowPrivate: true,
    ownSockets: [],
    localAddresses: () => [],
  })
  const deliverer = createDeliverer({ policy: () => policy, version: '1' })
  t.after(() => Promise.all([deliverer.close(), receiver.close()]))
  const unsigned = { id: 'ntf_1', timestampS: 1_767_323_045, body: BODY, secret: SECRET }
  const [signatures] = signNotifications([unsigned])
  assert.ok(signatures)
  const headers = notificationHeaders({ ...unsigned, ...signatures, attempt: 1 })
  await deliverer.deliver({ url: receiver.url, headers, body: BODY })
  const [request] = receiver.requests
  return { body: request?.body ?? '', signature: String(request?.headers['x-webhook-signature']) }
}

for (const { file, command, before, probe, debian } of RUNTIMES) {
  const present = spawnSync(command, probe).status === 0
  const skip = present ? false : `${debian} is not installed: apt-get install ${debian}`
  test(`${file} accepts a delivery and refuses one that was tampered with`, { skip }, async t => {
    const { body, signature } = await delivered(t)
    const path = fileURLToPath(new URL(`receivers/${file}`, import.meta.url))
    const verify = (secret: string, given: string, input: string) =>
      spawnSync(command, [...before, path, secret, given], { input }).status
    assert.equal(verify(SECRET, signature, body), 0)
    assert.equal(verify(SECRET, signature, `${body} `), 1, 'a longer body')
    assert.equal(verify(SECRET, signature, body.trimEnd()), 1, 'a line end is lost')
    assert.equal(verify(SECRET, signature, body.replace('sms.', 'SMS.')), 1, 'another body')
    assert.equal(verify(SECRET.slice('whsec_'.length), signature, body), 1, 'a part of the secret')
    assert.equal(verify(SECRET, signature.slice(0, -1), body), 1, 'a shorter signature')
    assert.equal(verify(SECRET, signature.slice('sha256='.length), body), 1, 'a signature without its prefix')
    assert.equal(verify(SECRET, signature.toUpperCase(), body), 1, 'another case')
    assert.equal(verify(SECRET, '', body), 1, 'no signature')
    assert.equal(verify(SECRET, 'é', body), 1, 'no ASCII')
  })
}
