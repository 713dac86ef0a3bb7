/** Bodies above 64 KiB that are being read: an account has eight, and others have theirs. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { ACCOUNT_BOUNDS } from '#contracts/account-bounds.ts'
import type { TestAccount } from '#test/kit/gateway.ts'
import { type OwnHostileGateway, startHostile } from '#test/kit/hostile-gateway.ts'
import { type RawConnection, rawRequest } from '#test/kit/raw-http.ts'

const LENGTH = 100_000
const HALF = 70_000

describe('large bodies', () => {
  let it: OwnHostileGateway
  let other: TestAccount
  before(async () => {
    it = await startHostile({})
    other = await it.gateway.account('other@example.org')
  })
  after(() => it.gateway.stop())

  /** Waits until the gateway has read what was written before. */
  const settled = async (): Promise<void> => {
    await it.ask({ path: '/healthz' })
    await it.ask({ path: '/healthz' })
  }
  const begin = async (key: string, isChunked: boolean): Promise<RawConnection> => {
    const connection = await it.open()
    const size = isChunked ? (['Transfer-Encoding', 'chunked'] as const) : undefined
    const headers = [['X-API-Key', key] as const, size ?? (['Content-Length', String(LENGTH)] as const)]
    connection.write(rawRequest({ method: 'POST', path: '/api/v1/sms/send', headers }))
    connection.write(isChunked ? `${HALF.toString(16)}\r\n${'x'.repeat(HALF)}\r\n` : 'x'.repeat(HALF))
    await settled()
    return connection
  }

  test('the ninth of an account is refused, and another account’s is not', async () => {
    const open: RawConnection[] = []
    for (let at = 0; at < ACCOUNT_BOUNDS.largeBodies.most; at++)
      open.push(await begin(it.owner.testKey, at % 2 === 0))
    for (const isChunked of [true, false]) {
      const refused = await begin(it.owner.testKey, isChunked)
      if (isChunked) refused.write('0\r\n\r\n')
      else refused.write('x'.repeat(LENGTH - HALF))
      const answer = await refused.next()
      assert.equal(answer?.status, 503)
      assert.deepEqual(answer?.headers['retry-after'], ['5'])
      assert.match(answer?.body ?? '', /8 bodies above 64 KiB of this account are being read/)
      assert.equal(await refused.closed(), '')
    }
    const beside = await begin(other.testKey, false)
    beside.write('x'.repeat(LENGTH - HALF))
    assert.equal((await beside.next())?.status, 400, 'it was read to its end')
    const headers = [['X-API-Key', it.owner.testKey] as const]
    assert.equal((await it.ask({ method: 'POST', path: '/api/v1/sms/send', headers })).status, 400)
    // One that is read to its end, and one that breaks off, give their places back.
    const [first, second, ...others] = open as [RawConnection, RawConnection, ...RawConnection[]]
    first.write('0\r\n\r\n')
    assert.equal((await first.next())?.status, 400)
    second.close()
    await settled()
    const again = [await begin(it.owner.testKey, true), await begin(it.owner.testKey, true)]
    for (const one of again) {
      one.write('0\r\n\r\n')
      assert.equal((await one.next())?.status, 400)
    }
    for (const one of others) one.close()
  })
})
