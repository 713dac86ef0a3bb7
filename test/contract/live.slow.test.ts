import assert from 'node:assert/strict'
import { once } from 'node:events'
import { afterEach, beforeEach, describe, test } from 'node:test'
import WebSocket from 'ws'
import { LIVE_NEWS_PER_FRAME_MAX, LIVE_SOCKETS_PER_ACCOUNT_MAX } from '#contracts/bounds.ts'
import type { SharedGateway, TestAccount } from '#test/kit/gateway.ts'
import { openSession } from '#test/kit/open-session.ts'
import { sharedGateway } from '#test/kit/shared-gateway.ts'

type News = Readonly<Record<string, unknown>>

describe('live news', () => {
  let gateway: SharedGateway
  let owner: TestAccount
  const open: WebSocket[] = []

  beforeEach(async () => {
    gateway = await sharedGateway()
    owner = await gateway.newAccount()
  })
  afterEach(() => {
    for (const socket of open.splice(0)) socket.terminate()
  })

  /** Opens a socket that collects the news it gets in `news`. */
  async function listen(headers: Readonly<Record<string, string>>, half?: string) {
    const address = `${gateway.url.replace('http', 'ws')}/api/v1/live`
    const socket = new WebSocket(address, 'roost.live.v1', { headers })
    open.push(socket)
    const news: News[] = []
    const frames: string[] = []
    socket.on('message', data => {
      frames.push(String(data))
      news.push(...JSON.parse(String(data)).news)
    })
    const closed = new Promise<number>(resolve => socket.once('close', resolve))
    socket.on('error', () => {})
    const status = await new Promise<number>(resolve => {
      socket.once('open', () => resolve(101))
      socket.once('unexpected-response', (_, response) => resolve(Number(response.statusCode)))
    })
    if (half !== undefined) socket.send(JSON.stringify({ half }))
    /** Waits for the first piece of news that fits. @throws if it can no longer come */
    const until = async (fits: (one: News) => boolean): Promise<News> => {
      for (;;) {
        const found = news.find(fits)
        if (found !== undefined) return found
        assert.ok(!news.some(one => one['type'] === 'resync'), 'a resync replaced the news')
        const code = await Promise.race([closed, once(socket, 'message').then(() => null)])
        assert.equal(code, null, `the gateway closed the socket with ${code}`)
      }
    }
    return { socket, news, frames, closed, status, until }
  }
  const byToken = (token = owner.token) => listen({ Authorization: `Bearer ${token}` })
  const send = async (account = owner) => {
    const json = { phoneNumber: '+15005550006', message: 'a text that stays secret' }
    const { json: sent } = await gateway.call('POST', '/api/v1/sms/send', { key: account.testKey, json })
    return String(sent?.data['messageId'])
  }
  /**
   * Changes a webhook until each page has got news or was closed. Only then have all pages surely joined,
   * because their listeners may be slower than the listener that changes it. Many changes in a short time end
   * in a resync. So the last changes wait for one frame each, until two frames in a row bring no resync.
   */
  const joined = async (pages: readonly Awaited<ReturnType<typeof listen>>[], account = owner) => {
    const waits = ({ socket, news }: (typeof pages)[number]) =>
      socket.readyState === WebSocket.OPEN && news.length === 0
    const { token } = account
    const json = { name: 'watched', recipients: ['+15005550006'] }
    const { json: made } = await gateway.call('POST', '/api/v1/webhooks', { token, json })
    const path = `/api/v1/webhooks/${made?.data['id']}`
    const change = () => gateway.call('PATCH', path, { token, json })
    while (pages.some(waits)) await change()
    for (const { socket, news } of pages) {
      for (let calm = 0; calm < 2 && socket.readyState === WebSocket.OPEN; calm++) {
        news.length = 0
        await Promise.all([once(socket, 'message'), change()])
        if (news.some(one => one['type'] === 'resync')) calm = -1
      }
    }
    await gateway.call('DELETE', path, { token })
    for (const { news } of pages) news.length = 0
  }

  test('report every status of a message, but not its text', async () => {
    const page = await byToken()
    await joined([page])
    const id = await send()
    for (const status of ['queued', 'delivered'])
      await page.until(one => one['id'] === id && one['status'] === status)
    const last = page.news.findLast(one => one['id'] === id)
    assert.deepEqual(Object.keys(last ?? {}).sort(), ['at', 'deviceId', 'failure', 'id', 'status', 'type'])
    assert.doesNotMatch(page.frames.join(), /secret|5005550006/)
  })

  test('reach a page that has both halves of its session, and no other page', async () => {
    const { headers } = await openSession(gateway, owner)
    const Cookie = headers.Cookie
    const Origin = gateway.url
    const half = headers['X-Roost-Console']
    const page = await listen({ Cookie, Origin }, half)
    await joined([page])
    const id = await send()
    await page.until(one => one['id'] === id)
    assert.equal((await listen({ Cookie, Origin: 'http://localhost:1' })).status, 403)
    assert.equal((await listen({ Cookie })).status, 401)
    assert.equal((await listen({ Origin })).status, 401)
    const other = await openSession(gateway, owner)
    assert.equal(await (await listen({ Cookie, Origin }, other.headers['X-Roost-Console'])).closed, 4401)
    assert.equal(await (await listen({ Cookie, Origin }, 'x'.repeat(100))).closed, 1002)
    const silent = await listen({ Cookie, Origin })
    assert.equal(await silent.closed, 1002)
  })

  test('end with the session that they were opened with', async () => {
    const session = await openSession(gateway, owner)
    const page = await listen(
      { Cookie: session.headers.Cookie, Origin: gateway.url },
      session.headers['X-Roost-Console'],
    )
    await joined([page])
    await gateway.call('DELETE', '/api/v1/session', { headers: session.headers })
    assert.equal(await page.closed, 4401)
  })

  test("contain only changes of the page's own account", async () => {
    const other = await gateway.newAccount()
    const page = await byToken(other.token)
    await joined([page], other)
    const foreign = await send()
    const own = await send(other)
    await page.until(one => one['id'] === own && one['status'] === 'delivered')
    assert.ok(!page.news.some(one => one['id'] === foreign))
  })

  test('report created, changed and removed phones and webhooks', async () => {
    const page = await byToken()
    await joined([page])
    const { accountId, token } = owner
    const { code } = await gateway.ask('device.create-pairing', { accountId, name: null })
    const { deviceId } = await gateway.ask('device.pair', {
      code,
      name: null,
      platform: null,
      appVersion: null,
    })
    await page.until(one => one['type'] === 'device' && one['id'] === deviceId)
    const json = { name: 'alerts', recipients: ['+15005550006'] }
    const made = await gateway.call('POST', '/api/v1/webhooks', { token, json })
    const id = made.json?.data['id']
    await page.until(one => one['type'] === 'webhook' && one['id'] === id)
    page.news.length = 0
    await gateway.call('GET', `/api/v1/webhook/${made.json?.data['token']}?message=down`)
    await page.until(one => one['type'] === 'webhook' && one['id'] === id)
    page.news.length = 0
    // A repeat sends no text, and changes only the history of the webhook.
    const again = await gateway.call('GET', `/api/v1/webhook/${made.json?.data['token']}?message=down`)
    assert.equal(again.json?.data['duplicate'], true)
    await page.until(one => one['type'] === 'webhook' && one['id'] === id)
    page.news.length = 0
    await gateway.call('DELETE', `/api/v1/webhooks/${id}`, { token })
    await page.until(one => one['type'] === 'webhook' && one['id'] === id)
    page.news.length = 0
    await gateway.call('DELETE', `/api/v1/devices/${deviceId}`, { token })
    await page.until(one => one['type'] === 'device' && one['id'] === deviceId)
  })

  test('are replaced by one resync if there are many', async () => {
    const page = await byToken()
    await joined([page])
    await Promise.all(Array.from({ length: LIVE_NEWS_PER_FRAME_MAX * 3 }, () => send()))
    await page.until(one => one['type'] === 'resync')
    for (const frame of page.frames) assert.ok(JSON.parse(frame).news.length <= LIVE_NEWS_PER_FRAME_MAX)
  })

  test('reach a bounded number of sockets per account, and a closed socket frees its place', async () => {
    const crowd = await gateway.newAccount()
    const pages = await Promise.all(
      Array.from({ length: LIVE_SOCKETS_PER_ACCOUNT_MAX }, () => byToken(crowd.token)),
    )
    await joined(pages, crowd)
    assert.equal(await (await byToken(crowd.token)).closed, 4429)
    pages[0]?.socket.close()
    await pages[0]?.closed
    // The gateway counts the first page until it notices that it closed, so a refused page tries again.
    for (;;) {
      const page = await byToken(crowd.token)
      await joined([page], crowd)
      if (page.socket.readyState === WebSocket.OPEN) break
    }
  })

  test('keep their sockets open when many pages connect at once', async () => {
    for (let round = 0; round < 40; round++) {
      const crowd = await Promise.all(Array.from({ length: 8 }, () => byToken()))
      for (const { socket, closed } of crowd) {
        const answered = once(socket, 'pong')
        socket.ping()
        const code = await Promise.race([closed, answered.then(() => null)])
        assert.equal(code, null, `closed with ${code} in round ${round}`)
      }
      for (const { socket } of crowd) socket.close()
      await Promise.all(crowd.map(({ closed }) => closed))
      await Promise.all(Array.from({ length: 5 }, () => gateway.call('GET', '/healthz')))
    }
  })

  test('tell a page of another site why it is refused, and take no session from it', async () => {
    const { headers } = await openSession(gateway, owner)
    const address = `${gateway.url.replace('http', 'ws')}/api/v1/live`
    const socket = new WebSocket(address, ['roost.live.v1', 'roost.live.refusal'], {
      headers: { Cookie: headers.Cookie, Origin: 'http://localhost:1' },
    })
    socket.on('open', () => socket.send(JSON.stringify({ half: headers['X-Roost-Console'] })))
    const [code, reason] = await once(socket, 'close')
    assert.deepEqual([socket.protocol, code], ['roost.live.refusal', 4403])
    assert.match(String(reason), /belongs to another site.*set public_url/)
  })

  test('are refused with an explanation if the request is not an upgrade', async () => {
    const { status, json } = await gateway.call('GET', '/api/v1/live', { token: owner.token })
    assert.deepEqual([status, json?.error.details?.issues?.[0]?.path], [400, 'Upgrade'])
  })
})
