import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CloudApp } from '#test/kit/cloud-app.ts'
import { startGateway } from '#test/kit/gateway.ts'
import { RawConnection } from '#test/kit/raw-http.ts'
import { upgradeRequest } from '#test/kit/raw-websocket.ts'

test('a gateway without any phone asks a phone that it does not know to wait', async t => {
  const gateway = await startGateway()
  t.after(() => gateway.stop())
  const upgrade = async (token: string | null) => {
    const connection = await RawConnection.open(gateway.url)
    t.after(() => connection.close())
    connection.write(upgradeRequest(token))
    return connection.next()
  }
  const answer = await upgrade('dvt_of_another_gateway')
  assert.equal(answer?.status, 503)
  assert.equal(answer?.headers['retry-after']?.join(), '60')
  assert.match(answer?.body ?? '', /no phone was ever paired with this gateway/)
  for (const token of [null, 'no token of a phone']) assert.equal((await upgrade(token))?.status, 401)
  const app = new CloudApp(`${gateway.url}/smsgate/v1`)
  for (const path of ['/message', '/events']) {
    assert.equal((await app.call('GET', path, { authorization: 'Bearer dvt_x' })).status, 503, path)
    assert.equal((await app.call('GET', path, { authorization: '' })).status, 401, path)
  }
})
