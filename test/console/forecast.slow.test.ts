/** What a waiting text waits for: one sentence on every page, and no time that is over. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onLan, openBrowser, openPage, withoutBrowser } from '#test/kit/console-browser.ts'
import { logInBrowser } from '#test/kit/console-session.ts'
import { startGateway } from '#test/kit/gateway.ts'
import type { Cleaner } from '#test/kit/gateway-process.ts'
import { HANGS_AFTER_MS } from '#test/kit/patience.ts'
import { RawPhone } from '#test/kit/raw-websocket.ts'

const timeout = HANGS_AFTER_MS
const skip = withoutBrowser
const ADA = '+4915123456789'

/** A gateway with one phone, which is connected and takes no text, and with one text. */
async function start(t: Cleaner) {
  const gateway = await startGateway()
  t.after(() => gateway.stop())
  const { liveKey: key, token } = await gateway.owner()
  const { json: code } = await gateway.call('POST', '/api/v1/devices/pairings', { token, json: {} })
  const hall = { code: code?.data['code'], name: 'Hall', platform: 'android', appVersion: '1' }
  const paired = await gateway.call('POST', '/device/v1/pair', { json: hall })
  const phone = await RawPhone.ready(gateway.url, String(paired.json?.data['token']))
  t.after(() => phone.close())
  const json = { phoneNumber: ADA, message: 'Dinner is ready' }
  const sent = await gateway.call('POST', '/api/v1/sms/send', { key, json })
  const address = onLan(gateway.url)
  const context = await (await openBrowser(t)).newContext({ viewport: { width: 1280, height: 800 } })
  await logInBrowser(context, gateway, address)
  const deviceId = String(paired.json?.data['deviceId'])
  return { phone, address, context, deviceId, messageId: String(sent.json?.data['messageId']) }
}

test('in Chromium every page says in the same words what a text waits for', { skip, timeout }, async t => {
  const { phone, address, context, messageId } = await start(t)
  const pages = await Promise.all(
    [
      ['', '.picture .hub'],
      ['texts', '.texts'],
      [`texts/${messageId}`, '.notice'],
      [`texts/${encodeURIComponent(ADA)}`, '.talk'],
    ].map(async ([hash, place]) => {
      const opened = await openPage(context)
      await opened.page.goto(`${address}/#/${hash}`)
      return { ...opened, place: opened.page.locator(place ?? '') }
    }),
  )
  // A phone that did not fetch it for a minute is named in another sentence.
  const turn = /Hall fetches it next|Hall has not fetched it/
  for (const { place } of pages) await place.getByText(turn).first().waitFor()
  phone.close()
  for (const { place, page } of pages) {
    await place.getByText(/^Waits for a phone: Hall is offline since \d\d:\d\d\.?/).waitFor()
    assert.equal(await page.getByText(turn).count(), 0)
  }
  for (const { faults } of pages) assert.deepEqual(faults, [])
})

test('in Chromium a time at which a text was to leave is asked for again once it is over', {
  skip,
  timeout,
}, async t => {
  const { address, context, messageId } = await start(t)
  // Live news would make the page ask again.
  await context.addInitScript('WebSocket = class { close() {} }')
  const { page } = await openPage(context)
  await page.clock.install()
  let before = 7
  await page.route('**/forecast', async route => {
    const leavesAt = new Date((await page.evaluate<number>('Date.now()')) + 60_000).toISOString()
    const data = { waitsFor: 'turn', deviceId: null, before, leavesAt }
    await route.fulfill({ json: { success: true, data } })
  })
  await page.goto(`${address}/#/texts/${messageId}`)
  await page.getByText('7 texts are before it on its phone. It leaves in about').waitFor()
  before = 6
  await page.clock.fastForward(70_000)
  await page.getByText('6 texts are before it on its phone. It leaves in about').waitFor()
})

test('in Chromium a line of the list says how many texts are before a waiting one', {
  skip,
  timeout,
}, async t => {
  const { address, context, deviceId } = await start(t)
  const { page, faults } = await openPage(context)
  const leavesAt = new Date(Date.now() + 17.4 * 60_000).toISOString()
  const data = { waitsFor: 'turn', deviceId, before: 331, leavesAt }
  await page.route('**/forecast', route => route.fulfill({ json: { success: true, data } }))
  await page.goto(`${address}/#/texts`)
  await page.locator('.texts').getByText('331 before it on Hall, about').waitFor()
  assert.deepEqual(faults, [])
})
