import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import type { UnsignedNotification } from '#contracts/pool-tasks.ts'
import { signNotifications } from '#pool/tasks/sign-notifications.ts'

const BODIES = ['{}', '{"message":"Grüße 👋"}', `{"long":"${'x'.repeat(10_000)}"}`]

function unsigned(body: string, index: number): UnsignedNotification {
  const secret = `whsec_${randomBytes(32).toString('base64')}`
  return { id: `ntf_${index}`, timestampS: Math.floor(Date.now() / 1000), body, secret }
}

/** The digest as a receiver without any library would compute it. */
function opensslDigest(secret: string, body: string): string {
  const arguments_ = ['dgst', '-sha256', '-hmac', secret, '-r']
  return execFileSync('openssl', arguments_, { input: body, encoding: 'utf8' }).split(' ')[0] ?? ''
}

test('the Standard Webhooks library accepts every signature of a batch, in the order of the batch', () => {
  const batch = BODIES.map(unsigned)
  const signatures = signNotifications(batch)
  assert.equal(signatures.length, batch.length)
  for (const [index, { id, timestampS, body, secret }] of batch.entries()) {
    const headers = {
      'webhook-id': id,
      'webhook-timestamp': String(timestampS),
      'webhook-signature': signatures[index]?.standardSignature ?? '',
    }
    assert.deepEqual(new Webhook(secret).verify(body, headers), JSON.parse(body))
    assert.throws(() => new Webhook(secret).verify(`${body} `, headers))
  }
})

test('openssl computes the same digest from the whole text of the secret', () => {
  for (const one of BODIES.map(unsigned)) {
    const [signed] = signNotifications([one])
    assert.equal(signed?.signature, `sha256=${opensslDigest(one.secret, one.body)}`)
  }
})

test('the signatures of a known notification never change', () => {
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
  const body = '{"test": 2432232314}'
  const [signed] = signNotifications([
    { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', timestampS: 1614265330, body, secret },
  ])
  // The example of the Standard Webhooks libraries.
  assert.equal(signed?.standardSignature, 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=')
  assert.match(signed?.signature ?? '', /^sha256=[0-9a-f]{64}$/)
})

test('an empty batch has no signatures', () => {
  assert.deepEqual(signNotifications([]), [])
})
