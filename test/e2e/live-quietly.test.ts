import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import WebSocket from 'ws'
import { cookieTagOf } from '#app/auth/open-access.ts'
import { dataDirectory } from '#storage/data-directory.ts'
import { loadSecret } from '#storage/secret-file.ts'
import { GatewayProcess } from '#test/kit/gateway-process.ts'

/** uWebSockets.js prints a warning for what is written outside of the turn of the request. */
test('a live socket of a page or a program opens, or is refused, without a word in the log', async t => {
  const gateway = await GatewayProcess.startBare(t)
  const { origin } = new URL(gateway.url)
  const cookie = `roost_${cookieTagOf(loadSecret(dataDirectory(gateway.dataDir).jwtKey))}=half`
  const open = async (headers: Record<string, string>) => {
    const socket = new WebSocket(
      `${gateway.url.replace('http', 'ws')}/api/v1/live`,
      ['roost.live.v1', 'roost.live.refusal'],
      { headers },
    )
    await once(socket, 'open')
    const { protocol } = socket
    socket.close()
    await once(socket, 'close')
    return protocol
  }
  assert.equal(await open({ Cookie: cookie, Origin: origin }), 'roost.live.v1')
  assert.equal(await open({ Cookie: cookie, Origin: 'http://localhost:1' }), 'roost.live.refusal')
  const { token } = await gateway.cli('token', '--account', 'owner@localhost')
  assert.equal(await open({ Authorization: `Bearer ${token}` }), 'roost.live.v1')
  const closed = once(gateway.program.child, 'close')
  await gateway.stop()
  await closed
  const printed = gateway.program.stderr.all.filter(line => !line.startsWith('{'))
  assert.deepEqual(printed, [])
})
