import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compareConfigs } from '#app/config/compare-configs.ts'
import { CONFIG_DEFAULTS } from '#contracts/config.ts'

const { http } = CONFIG_DEFAULTS

test('keys that a running gateway can change are applied; the others are named', () => {
  const fresh = {
    ...CONFIG_DEFAULTS,
    public_url: 'https://sms.example.org',
    http: { ...http, port: 1, body_bytes_max: 7 },
    messages: { ...CONFIG_DEFAULTS.messages, ttl_s: 60 },
    alarms: { ...CONFIG_DEFAULTS.alarms, recipients: ['+14155550123'] },
    plans: { ...CONFIG_DEFAULTS.plans, extra: CONFIG_DEFAULTS.plans['free'] },
  } as typeof CONFIG_DEFAULTS
  const { config, changed, needRestart } = compareConfigs(CONFIG_DEFAULTS, fresh)
  assert.deepEqual(changed, ['http.body_bytes_max', 'plans', 'messages.ttl_s', 'alarms.recipients'])
  assert.deepEqual(needRestart, ['public_url', 'http.port'])
  assert.deepEqual(config.http, { ...http, body_bytes_max: 7 })
  assert.equal(config.public_url, '')
  assert.equal(config.messages.ttl_s, 60)
  assert.ok('extra' in config.plans)
})

test('a key that a file begins to say counts at once, and is no change by itself', () => {
  const fresh = { ...CONFIG_DEFAULTS, fixed: ['backup.keep_days'] }
  const { config, changed, needRestart } = compareConfigs({ ...CONFIG_DEFAULTS, fixed: [] }, fresh)
  assert.deepEqual([config.fixed, changed, needRestart], [['backup.keep_days'], [], []])
})

test('other certificate files are taken over, HTTPS itself is switched by a restart', () => {
  const tls = (name: string) => ({
    ...CONFIG_DEFAULTS,
    http: { ...http, tls_cert_file: `${name}.crt`, tls_key_file: `${name}.key` },
  })
  const keys = ['http.tls_cert_file', 'http.tls_key_file']
  assert.deepEqual(compareConfigs(tls('a'), tls('b')).changed, keys)
  assert.deepEqual(compareConfigs(CONFIG_DEFAULTS, tls('a')).needRestart, keys)
  assert.deepEqual(compareConfigs(tls('a'), CONFIG_DEFAULTS).needRestart, keys)
})

test('HTTPS on a port of its own takes other certificate files, and needs a restart for another port', () => {
  const https = (name: string, tls_port = 8443) => ({
    ...CONFIG_DEFAULTS,
    http: { ...http, tls_port, tls_cert_file: `${name}.crt`, tls_key_file: `${name}.key` },
  })
  const keys = ['http.tls_cert_file', 'http.tls_key_file']
  assert.deepEqual(compareConfigs(https('a'), https('b')).changed, keys)
  assert.deepEqual(compareConfigs(https('a'), https('a', 9443)).needRestart, ['http.tls_port'])
  assert.deepEqual(compareConfigs(CONFIG_DEFAULTS, https('a')).needRestart, ['http.tls_port', ...keys])
})

test('an equal configuration changes nothing', () => {
  const { changed, needRestart } = compareConfigs(CONFIG_DEFAULTS, structuredClone(CONFIG_DEFAULTS))
  assert.deepEqual([changed, needRestart], [[], []])
})
