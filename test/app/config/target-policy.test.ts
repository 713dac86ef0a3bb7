import assert from 'node:assert/strict'
import { test } from 'node:test'
import { neighboursOf } from '#app/config/neighbours.ts'
import { localAddresses } from '#app/config/target-policy.ts'
import { CONFIG_DEFAULTS } from '#contracts/config.ts'

test('the addresses of this machine are known, or none if the system refuses to list them', () => {
  assert.ok(localAddresses().includes('127.0.0.1'))
  const refused = () =>
    assert.fail('A system error occurred: uv_interface_addresses returned Unknown system error 13')
  assert.deepEqual(localAddresses(refused), [])
})

test('neighbours are the services of the configuration, and the members of the cluster', () => {
  const { cluster, mqtt, mail, smtp } = CONFIG_DEFAULTS
  assert.deepEqual(neighboursOf(CONFIG_DEFAULTS), [])
  const etcd = ['http://10.0.0.1:2379', 'https://[fd12::1]:12379/']
  const config = {
    cluster: { ...cluster, etcd, advertise_url: 'https://10.0.0.1:8443' },
    mqtt: { ...mqtt, url: 'mqtt://broker.lan' },
    mail: { ...mail, smtp_url: 'smtps://roost:secret@mail.lan' },
    smtp: { ...smtp, port: 2525, host: '0.0.0.0' },
  }
  const found = neighboursOf(config, ['https://10.0.0.2:8443']).map(one => `${one.hostname} ${one.port}`)
  assert.deepEqual(
    [...new Set(found)],
    [
      '10.0.0.1 2379',
      '10.0.0.1 2380',
      '[fd12::1] 12379',
      '[fd12::1] 12380',
      '[fd12::1] 2380',
      '10.0.0.1 8443',
      'broker.lan 1883',
      'mail.lan 465',
      '10.0.0.2 8443',
      '0.0.0.0 2525',
    ],
  )
})
