import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { DatabaseSync } from '#storage/sqlite.ts'
import { FakePhone } from '#test/kit/fake-phone.ts'
import { GatewayProcess } from '#test/kit/gateway-process.ts'

test('after kill -9 what a webhook gathered is told, once', async t => {
  const gateway = await GatewayProcess.start(t)
  const phone = new FakePhone(await gateway.pair('one'))
  const { data } = await gateway.asOwner('POST', '/webhooks', {
    ...{ name: 'Monitoring', recipients: ['+14155550123'], gather: true },
  })
  const { id, url } = data as { id: string; url: string }
  const trigger = async (name: string) => {
    const body = JSON.stringify({ monitor: { name }, heartbeat: { status: 0, msg: 'timeout' } })
    const headers = { 'Content-Type': 'application/json' }
    const response = await fetch(gateway.url + url, { method: 'POST', headers, body })
    const { data } = (await response.json()) as { data: { gathered: boolean } }
    return [response.status, data.gathered]
  }
  for (let i = 1; i <= 4; i++) assert.deepEqual(await trigger(`M${i}`), [200, false])
  // Each alert is killed for right after its answer.
  for (let i = 5; i <= 7; i++) {
    assert.deepEqual(await trigger(`M${i}`), [200, true])
    await gateway.kill()
    if (i < 7) await gateway.restart()
  }
  const texts = async () => (await gateway.messages(`&webhookId=${id}`)).map(({ message }) => message)
  // As if the gateway had been off for more than a minute.
  const database = new DatabaseSync(join(gateway.dataDir, 'roost.db'))
  database.exec('UPDATE webhook_storm SET next_at = next_at - 60000')
  database.close()
  for (let start = 0; start < 2; start++) {
    await gateway.kill()
    await gateway.restart()
    const [newest, ...others] = await texts()
    assert.equal(newest, '3 down: M5, M6, M7. 4 still down')
    assert.equal(others.length, 4)
  }
  await phone.connect(gateway.socketUrl)
})
