import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'
import { GatewayProcess } from '#test/kit/gateway-process.ts'
import { HANGS_AFTER_MS } from '#test/kit/patience.ts'
import { CONNECTIONS_PER_ADDRESS_MAX } from '#transport/http/bound-connections.ts'

/** Starts a process with 1,024 file descriptors, the usual limit of a shell. */
const FEW_FILES = ['sh', '-c', 'ulimit -n 1024; exec "$@"', 'sh']

test('a gateway with 1,024 descriptors serves others while three addresses try to use all', {
  timeout: HANGS_AFTER_MS,
}, async t => {
  const gateway = await GatewayProcess.start(t, { under: FEW_FILES })
  const port = Number(new URL(gateway.url).port)
  const from = (localAddress: string) => connect({ host: '127.0.0.1', port, localAddress })
  const crowd = [2, 3, 4].flatMap(host => Array.from({ length: 400 }, () => from(`127.0.0.${host}`)))
  t.after(() => {
    for (const socket of crowd) socket.destroy()
  })
  const ended = await Promise.all(crowd.map(isEnded))
  const kept = ended.filter(one => !one).length
  // Half of its 692 connections are open to all. After that each address gets its share.
  assert.ok(kept > 0 && kept <= 346 + 2 * CONNECTIONS_PER_ADDRESS_MAX, `${kept} connections are kept`)
  const other = from('127.0.0.7')
  other.write('GET /healthz HTTP/1.1\r\nHost: roost\r\nConnection: close\r\n\r\n')
  const [answer] = await once(other, 'data')
  assert.match(String(answer), /^HTTP\/1\.1 200/)
  await gateway.send('written all the same', { queueIfOffline: true })
})

/** Whether the gateway closed the connection instead of answering on it. */
async function isEnded(socket: ReturnType<typeof connect>): Promise<boolean> {
  const ended = Promise.withResolvers<boolean>()
  socket.on('error', () => ended.resolve(true))
  socket.on('close', () => ended.resolve(true))
  socket.on('data', () => ended.resolve(false))
  socket.write('GET /healthz HTTP/1.1\r\nHost: roost\r\n\r\n')
  return ended.promise
}
