import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { Agent } from 'node:https'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { WebSocket } from 'ws'
import { CERTIFICATE_DAYS } from '#app/certificate/issue-certificate.ts'
import { makeCertificate } from '#app/certificate/make-certificate.ts'
import { readCertificate } from '#app/certificate/read-certificate.ts'
import { connectControl } from '#app/control/control-client.ts'
import { DAY_MS } from '#domain/time.ts'
import { dataDirectory } from '#storage/data-directory.ts'
import { freePort } from '#test/kit/free-ports.ts'
import { startGateway, type TestGateway } from '#test/kit/gateway.ts'
import { HELLO } from '#test/kit/hello.ts'
import { askHttps, shownCertificate } from '#test/kit/https-client.ts'
import { selfSigned } from '#test/kit/self-signed.ts'
import { temporaryDirectory } from '#test/kit/temporary-directory.ts'

const PHONES = 100
const CLIENTS = 100
/**
 * A connection that was used within this time counts as dropped when the gateway closes it. The gateway may
 * close a connection that is idle for ten seconds.
 */
const IN_USE_MS = 5_000

async function connectPhones(gateway: TestGateway, url: string): Promise<WebSocket[]> {
  const { accountId } = await gateway.owner()
  const phones: WebSocket[] = []
  while (phones.length < PHONES) {
    const { code } = await gateway.ask('device.create-pairing', { accountId, name: null })
    const request = { code, name: 'phone', platform: 'test', appVersion: '1', address: '127.0.0.1' }
    const { token } = await gateway.ask('device.pair', request)
    const phone = new WebSocket(`${url.replace(/^http/, 'ws')}/device/v1/socket`, 'roost.device.v1', {
      headers: { authorization: `Bearer ${token}` },
      rejectUnauthorized: false,
    })
    await once(phone, 'open')
    // Sent at once, because the gateway closes a socket that is silent for ten seconds.
    await exchange(phone, HELLO, 'welcome')
    phones.push(phone)
  }
  return phones
}

/** Sends a frame and waits for its answer. */
async function exchange(phone: WebSocket, frame: object, answer: string): Promise<void> {
  const answered = once(phone, 'message')
  phone.send(JSON.stringify(frame))
  const [bytes] = await answered
  assert.equal(JSON.parse(String(bytes)).type, answer)
}

/** Clients that keep their connections open. Each call of `askAll` uses all of these connections. */
function clientsOf(t: TestContext, gateway: TestGateway) {
  const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS })
  t.after(() => agent.destroy())
  const usedAt = new Map<Socket, number>()
  let dropped = 0
  agent.on('free', (socket: Socket) => {
    if (!usedAt.has(socket))
      socket.once('close', () => {
        if (performance.now() - (usedAt.get(socket) ?? 0) < IN_USE_MS) dropped += 1
      })
    usedAt.set(socket, performance.now())
  })
  return {
    async askAll() {
      const answers = Array.from({ length: CLIENTS }, () => askHttps(`${gateway.url}/healthz`, { agent }))
      for (const { status } of await Promise.all(answers)) assert.equal(status, 200)
    },
    connections: () => usedAt.size,
    dropped: () => dropped,
  }
}

test('certificates change under 200 connections, and none is dropped', async t => {
  const folder = temporaryDirectory(t)
  const files = { tls_cert_file: join(folder, 'cert.pem'), tls_key_file: join(folder, 'key.pem') }
  const certify = ({ cert, key }: { cert: string; key: string }) => {
    writeFileSync(files.tls_cert_file, cert)
    writeFileSync(files.tls_key_file, key)
  }
  certify(selfSigned('first.lan'))
  const tls_port = await freePort()
  const config = { http: { ...files, tls_port, listeners: 2 }, devices: { offline_after_s: 3600 } }
  const gateway = await startGateway({ config })
  t.after(() => gateway.stop())
  const phones = await connectPhones(gateway, gateway.url)
  const closed: string[] = []
  for (const phone of phones) phone.on('close', () => closed.push('phone'))
  const { askAll, connections, dropped } = clientsOf(t, gateway)
  // Repeated before each step, so that the connections are in use when the certificate changes.
  await askAll()
  assert.equal(connections(), CLIENTS)
  const control = await connectControl(dataDirectory(gateway.dataDir).controlSocket)
  t.after(() => control?.close())
  const before = await shownCertificate(tls_port)
  assert.equal(before.subject, 'CN=first.lan')

  certify({ cert: selfSigned('broken.lan').cert, key: selfSigned('other.lan').key })
  assert.match(String(await control?.takeCertificate()), /the new certificate is not in use/)
  assert.deepEqual(
    gateway.log.filter(({ event }) => event.startsWith('certificate')).map(({ event }) => event),
    ['certificate.not_taken'],
  )
  await askAll()
  const expired = dataDirectory(temporaryDirectory(t))
  await makeCertificate(expired, {
    names: ['expired.lan'],
    nowMs: Date.now() - 2 * CERTIFICATE_DAYS * DAY_MS,
  })
  // This file has the certificate and its key.
  const expiredPem = readFileSync(expired.certificate, 'latin1')
  certify({ cert: expiredPem, key: expiredPem })
  assert.match(String(await control?.takeCertificate()), /expired on/)
  for (let i = 0; i < 8; i += 1)
    assert.equal((await shownCertificate(tls_port)).fingerprint256, before.fingerprint256)

  await askAll()
  const second = selfSigned('second.lan')
  certify(second)
  assert.equal(await control?.takeCertificate(), null)
  await askAll()
  for (let i = 0; i < 20; i += 1)
    assert.equal((await shownCertificate(tls_port)).fingerprint256, readCertificate(second.cert).fingerprint)
  await askAll()
  assert.equal(dropped(), 0, 'connections of clients that the gateway closed')
  // Clients that connect while another certificate is taken over.
  certify(selfSigned('third.lan'))
  const taken = control?.takeCertificate()
  const arriving = Array.from({ length: 50 }, () => askHttps(`${gateway.url}/healthz`))
  for (const { status } of await Promise.all(arriving)) assert.equal(status, 200)
  assert.equal(await taken, null)
  await Promise.all(
    phones.map(phone => exchange(phone, { type: 'sync', messages: [], more: false }, 'synced')),
  )
  assert.deepEqual(closed, [])
  for (const phone of phones) phone.terminate()
})
