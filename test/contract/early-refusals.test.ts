/** A caller that is still sending its body gets the refusal instead of a broken connection. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type OwnHostileGateway, startHostile } from '#test/kit/hostile-gateway.ts'
import { type RequestParts, rawRequest } from '#test/kit/raw-http.ts'
import { REFUSED_BODY_BYTES_MAX } from '#transport/http/incoming-body.ts'

const LIMIT = 262_144
const MIB = 1_048_576

describe('a refusal before the whole body has arrived', () => {
  let it: OwnHostileGateway
  before(async () => {
    it = await startHostile({ body_bytes_max: LIMIT })
  })
  after(() => it.gateway.stop())

  const head = (headers: NonNullable<RequestParts['headers']>, path = '/api/v1/sms/send'): Buffer =>
    rawRequest({ method: 'POST', path, headers })
  const length = (bytes: number) => ['Content-Length', String(bytes)] as const
  const key = () => ['X-API-Key', it.owner.testKey] as const
  /** Waits until the gateway has read what was written before. */
  const settled = async (): Promise<void> => {
    await it.ask({ path: '/healthz' })
    await it.ask({ path: '/healthz' })
  }

  const cases: readonly (readonly [string, () => Buffer, status: number])[] = [
    ['a body that is too long', () => head([key(), length(3 * MIB)]), 413],
    ['a body too long for nobody', () => head([length(3 * MIB)]), 401],
    ['a wrong key, Connection: close', () => head([length(3 * MIB), ['Connection', 'close']]), 401],
    ['a head with a fault', () => head([key(), key(), length(3 * MIB)]), 400],
    ['a path that is not there', () => head([length(3 * MIB)], '/nothing'), 404],
    ['another method', () => head([length(3 * MIB)], '/api/v1/openapi.json'), 405],
  ]
  for (const [what, first, status] of cases) {
    test(`${what}: a caller that writes everything before it reads gets the ${status}`, async () => {
      const connection = await it.open()
      connection.pause()
      connection.write(first())
      await settled()
      for (let sent = 0; sent < 3 * MIB; sent += MIB / 2) {
        connection.write(Buffer.alloc(MIB / 2, 'x'))
        await settled()
      }
      connection.resume()
      assert.equal((await connection.next())?.status, status)
      assert.equal(await connection.closed(), '')
    })
  }

  test('a chunked body that becomes too long is refused after its last chunk', async () => {
    const connection = await it.open()
    connection.pause()
    connection.write(head([key(), ['Transfer-Encoding', 'chunked']]))
    for (let sent = 0; sent < 2 * MIB; sent += MIB / 2) {
      connection.write(`${(MIB / 2).toString(16)}\r\n${'x'.repeat(MIB / 2)}\r\n`)
      await settled()
    }
    connection.write('0\r\n\r\n')
    connection.resume()
    assert.equal((await connection.next())?.status, 413)
  })

  test('fetch gets the 413 every time', async () => {
    const body = 'x'.repeat(4 * MIB)
    for (let round = 0; round < 12; round += 1) {
      const headers = { 'X-API-Key': it.owner.testKey }
      const answer = await fetch(`${it.gateway.url}/api/v1/sms/send`, { method: 'POST', headers, body })
      assert.equal(answer.status, 413)
      assert.equal(answer.headers.get('connection'), 'close')
      await answer.text()
    }
  })

  test('a caller that sends only the head gets an answer', async () => {
    const connection = await it.open()
    connection.write(head([key(), length(LIMIT + 1)]))
    assert.equal((await connection.next())?.status, 413)
    await connection.closed()
  })

  test('a caller that stops in the middle of its body gets an answer', async () => {
    const connection = await it.open()
    connection.write(head([key(), length(LIMIT + 1)]))
    connection.write('x'.repeat(LIMIT / 2))
    assert.equal((await connection.next())?.status, 413)
    await connection.closed()
  })

  test('an endless body is read only up to a bound', async () => {
    const connection = await it.open()
    connection.write(head([key(), ['Transfer-Encoding', 'chunked']]))
    let ended = false
    const seen = connection.closed().then(text => {
      ended = true
      return text
    })
    for (let sent = 0; !ended && sent < 4 * REFUSED_BODY_BYTES_MAX; sent += MIB) {
      connection.write(`${MIB.toString(16)}\r\n${'x'.repeat(MIB)}\r\n`)
      await settled()
    }
    await seen
    assert.ok(ended)
  })
})
