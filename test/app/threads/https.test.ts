import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { WebSocket } from 'ws'
import { OWNER_EMAIL } from '#domain/account/first-start.ts'
import { hashPassword } from '#pool/tasks/hash-password.ts'
import { freePort } from '#test/kit/free-ports.ts'
import { startGateway, type TestGateway } from '#test/kit/gateway.ts'
import { askHttps } from '#test/kit/https-client.ts'
import { selfSigned } from '#test/kit/self-signed.ts'

const PASSWORD = 'correct horse battery'

describe('a gateway with a tls_port', () => {
  const folder = mkdtempSync(join(tmpdir(), 'roost-https-'))
  const { key, cert } = selfSigned('localhost')
  const files = { tls_cert_file: join(folder, 'cert.pem'), tls_key_file: join(folder, 'key.pem') }
  let gateway: TestGateway
  let httpsUrl: string

  before(async () => {
    writeFileSync(files.tls_cert_file, cert)
    writeFileSync(files.tls_key_file, key)
    const tls_port = await freePort()
    httpsUrl = `https://localhost:${tls_port}`
    const port = await freePort()
    gateway = await startGateway({ config: { http: { ...files, port, tls_port, listeners: 2 } } })
    await gateway.ask('account.set-password', {
      email: OWNER_EMAIL,
      passwordHash: await hashPassword(PASSWORD),
    })
  })
  after(async () => {
    await gateway.stop()
    rmSync(folder, { recursive: true })
  })

  const logIn = { email: OWNER_EMAIL, password: PASSWORD }

  test('serves HTTP and HTTPS at once, and its address is the HTTP one', async () => {
    assert.match(gateway.url, /^http:\/\/127\.0\.0\.1:\d+$/)
    assert.equal((await gateway.call('GET', '/healthz')).status, 200)
    for (let i = 0; i < 4; i += 1)
      assert.equal((await askHttps(`${httpsUrl}/healthz`, { ca: cert })).status, 200)
  })

  test('restricts the cookie of a session begun over HTTPS to HTTPS', async () => {
    const secure = await askHttps(`${httpsUrl}/api/v1/session`, { method: 'POST', json: logIn, ca: cert })
    assert.equal(secure.status, 200, secure.body)
    const [cookie = ''] = secure.headers['set-cookie'] ?? []
    assert.match(cookie, /^__Host-roost_[0-9a-f]{6}=.*; Secure$/)
    const plain = await gateway.call('POST', '/api/v1/session', { json: logIn })
    assert.match(plain.headers.get('set-cookie') ?? '', /^roost_[0-9a-f]{6}=[^;]*;(?!.*Secure)/)
    const half = JSON.parse(secure.body).data.half
    const headers = { Cookie: cookie.split(';')[0] ?? '', 'X-Roost-Console': half }
    assert.equal((await askHttps(`${httpsUrl}/api/v1/devices`, { headers, ca: cert })).status, 200)
  })

  test('accepts phones over HTTP and HTTPS', async () => {
    const { accountId } = await gateway.owner()
    for (const url of [gateway.url, httpsUrl]) {
      const { code } = await gateway.ask('device.create-pairing', { accountId, name: 'phone' })
      const json = { code, name: 'phone', platform: 'test', appVersion: '1' }
      const paired = await gateway.call('POST', '/device/v1/pair', { json })
      const phone = new WebSocket(`${url.replace(/^http/, 'ws')}/device/v1/socket`, 'roost.device.v1', {
        headers: { authorization: `Bearer ${paired.json?.data['token']}` },
        ca: cert,
      })
      await once(phone, 'open')
      phone.close()
      await once(phone, 'close')
    }
  })

  test('serves only HTTPS if its HTTP port is 0', async () => {
    const tls_port = await freePort()
    const alone = await startGateway({ config: { http: { ...files, tls_port } } })
    assert.equal(alone.url, `https://127.0.0.1:${tls_port}`)
    assert.equal((await askHttps(`${alone.url}/healthz`)).status, 200)
    assert.equal(await alone.stop(), 0)
  })

  test('does not start if one of its ports is taken, and the error names that port', async t => {
    const tls_port = await freePort()
    const other = createServer().listen(tls_port, '127.0.0.1')
    await once(other, 'listening')
    t.after(() => other.close())
    await assert.rejects(
      startGateway({ config: { http: { ...files, tls_port } } }),
      new RegExp(`127\\.0\\.0\\.1.*${tls_port}`),
    )
  })
})
