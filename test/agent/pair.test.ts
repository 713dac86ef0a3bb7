import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { reasonOf } from '#agent/agent-error.ts'
import { pair, socketUrlOf } from '#agent/pair.ts'
import { runAgent } from '#agent/run-agent.ts'
import { HANGS_AFTER_MS } from '#test/kit/patience.ts'
import { temporaryDirectory } from '#test/kit/temporary-directory.ts'

const options = { timeout: HANGS_AFTER_MS }
const never = new AbortController().signal

async function serverThat(t: TestContext, answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const inputOf = (server: string) => ({
  server,
  code: '12345678',
  name: 'kitchen',
  platform: 'test',
  appVersion: '1',
  pairedAt: '2026-01-31T12:00:00.000Z',
})

test(
  "the pairing answer may have an envelope or none; the socket uses the server's own address",
  options,
  async t => {
    const paired = {
      deviceId: 'dev_1',
      token: 'secret',
      socketUrl: 'ws://elsewhere.invalid/device/v1/socket',
      gatewayName: 'nas',
    }
    for (const body of [paired, { success: true, data: paired }]) {
      const server = await serverThat(t, (_, response) => response.end(JSON.stringify(body)))
      const identity = await pair(inputOf(server), never)
      assert.deepEqual([identity.token, identity.gatewayName], ['secret', 'nas'])
      assert.equal(identity.socketUrl, `${server.replace('http', 'ws')}/device/v1/socket`)
    }
  },
)

test('a server under a path or with TLS keeps both for the socket', () => {
  assert.equal(socketUrlOf('https://example.org/sms/'), 'wss://example.org/sms/device/v1/socket')
})

test('a server that is no gateway is reported as such', options, async t => {
  const server = await serverThat(t, (_, response) => response.writeHead(404).end('<html>'))
  await assert.rejects(pair(inputOf(server), never), /HTTP 404 and no explanation: is it Roost\?/)
})

test('an agent that is stopped while the pairing has no answer stops at once', options, async t => {
  const stop = new AbortController()
  const server = await serverThat(t, () => stop.abort())
  const flags = { authority: null, driver: { name: 'log' }, name: 'kitchen' } as const
  const stateFile = join(temporaryDirectory(t), 'state.json')
  const io = {
    log: () => undefined,
    print: () => undefined,
    signal: stop.signal,
    askPassword: () => Promise.resolve(''),
    env: {},
    program: [],
  }
  assert.equal(await runAgent({ ...flags, server, code: '12345678', stateFile }, io), 0)
})

test('an untrusted certificate is reported with the way to trust it', () => {
  const error = Object.assign(new Error('self-signed certificate'), { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' })
  assert.match(reasonOf(error), /not trusted: .* NODE_EXTRA_CA_CERTS=\/path\/ca\.pem$/)
})
