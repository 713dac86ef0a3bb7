import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isSignedWith } from '#domain/device/read-hook.ts'
import { CloudSecrets } from '#transport/device/smsgate-cloud/cloud-secrets.ts'

/** The key of a request that is signed as the app's documentation describes. */
const KEY = 'wh_9f3kQ2mZx7Lr4TtB'
const SIGNED = {
  timestamp: '1785400005',
  signature: '7bc4e77df5a1aed489cd1f39ed193dce5bd9f62776bc3eb16d9d177cdd0eb018',
}
const PAYLOAD = {
  ...{ message: "It's 5 > 3", receivedAt: '2026-07-30T10:26:41.000+02:00', messageId: '9c41d07e' },
  ...{ sender: '+15550100777', recipient: '+15550100001', simNumber: 1, phoneNumber: '+15550100777' },
}
/** JSON as the app writes it: with `'` and `>` escaped. */
const TEXT = JSON.stringify({
  ...{ id: 'Zq3vXb1nT9kLm2PwRs7Yd', webhookId: 'wh_dev_k7f2_sms_received', event: 'sms:received' },
  ...{ deviceId: 'dev_4Jx9Qa2Lw8', payload: PAYLOAD },
})
  .replace("'", String.raw`\u0027`)
  .replace('5 >', String.raw`5 \u003e`)
const BODY = Buffer.from(TEXT)

test('a signature of the app over the raw bytes and the time is accepted', () => {
  assert.equal(BODY.length, 327)
  assert.ok(isSignedWith(KEY, BODY, SIGNED))
  assert.ok(isSignedWith(KEY, BODY, { ...SIGNED, signature: SIGNED.signature.toUpperCase() }))
  const rewritten = Buffer.from(JSON.stringify(JSON.parse(TEXT)))
  assert.ok(!isSignedWith(KEY, rewritten, SIGNED), 'the same JSON in other bytes')
  assert.ok(!isSignedWith(KEY, BODY, { ...SIGNED, timestamp: '1785400006' }))
  assert.ok(!isSignedWith(`${KEY}x`, BODY, SIGNED))
  for (const signature of ['', 'zz', SIGNED.signature.slice(2)])
    assert.ok(!isSignedWith(KEY, BODY, { ...SIGNED, signature }))
})

test('each phone has its own secrets, of characters that the app keeps unchanged', () => {
  const secrets = new CloudSecrets(Buffer.alloc(32, 1))
  const [one, other] = [`dev_${'A'.repeat(26)}`, `dev_${'B'.repeat(26)}`]
  for (const make of ['recoveryToken', 'signingKey', 'hookSecret'] as const) {
    assert.match(secrets[make](one), /^[A-Za-z][\w-]+$/)
    assert.notEqual(secrets[make](one), secrets[make](other))
  }
  assert.equal(secrets.recoveredDevice(secrets.recoveryToken(one)), one)
  const ofAnother = secrets.recoveryToken(other).replace('B'.repeat(26), 'A'.repeat(26))
  assert.equal(secrets.recoveredDevice(ofAnother), null)
  assert.equal(new CloudSecrets(Buffer.alloc(32, 2)).recoveredDevice(secrets.recoveryToken(one)), null)
})
