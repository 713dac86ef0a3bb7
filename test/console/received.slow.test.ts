/** Received texts in the browser: new ones, people, search, and a conversation page by page. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  checkAccessibility,
  onLan,
  openBrowser,
  openPage,
  withoutBrowser,
} from '#test/kit/console-browser.ts'
import { logInBrowser } from '#test/kit/console-session.ts'
import { startGateway } from '#test/kit/gateway.ts'
import type { Cleaner } from '#test/kit/gateway-process.ts'
import { PairedPhone } from '#test/kit/paired-phone.ts'
import { HANGS_AFTER_MS } from '#test/kit/patience.ts'

const timeout = HANGS_AFTER_MS
const skip = withoutBrowser
const ADA = '+4915123456789'

/** A gateway with 60 texts of Ada, and a browser at the list of received texts. */
async function start(t: Cleaner) {
  const gateway = await startGateway()
  t.after(() => gateway.stop())
  const { accountId, token } = await gateway.owner()
  const phone = await PairedPhone.pair(gateway, accountId)
  await phone.connect(gateway.url)
  t.after(() => phone.disconnect())
  await gateway.call('POST', '/api/v1/people', { token, json: { name: 'Ada', phoneNumber: ADA } })
  for (let i = 0; i < 60; i++)
    await phone.reportReceived({ id: `old ${i}`, from: ADA, message: `old text ${i}.` })
  const address = onLan(gateway.url)
  const context = await (await openBrowser(t)).newContext({ viewport: { width: 375, height: 800 } })
  await logInBrowser(context, gateway, address)
  const { page, faults } = await openPage(context)
  await page.goto(`${address}/#/texts?cut=received`)
  const ada = page.locator('.texts a').first()
  await ada.getByText('old text 59.').waitFor()
  return { phone, address, page, faults, ada }
}

test('in Chromium received texts are new until they were seen, and are searched', {
  skip,
  timeout,
}, async t => {
  const { phone, page, faults, ada } = await start(t)
  assert.equal(await ada.getByText('New').count(), 0, 'what came before the first visit counts as seen')
  await phone.reportReceived({ id: 'a', from: ADA, message: 'The café is open' })
  await ada.getByText('New').waitFor()
  await checkAccessibility(page)

  await ada.click()
  await page.getByRole('heading', { name: 'Ada' }).waitFor()
  await page.getByText('The café is open').waitFor()
  assert.equal(await page.getByText('old text 3.').count(), 0)
  await page.getByRole('button', { name: 'Show earlier texts' }).click()
  await page.getByText('old text 3.').waitFor()
  await checkAccessibility(page)
  await page.goBack()
  await ada.getByText('The café is open').waitFor()
  assert.equal(await ada.getByText('New').count(), 0)

  const search = page.getByRole('combobox', { name: 'Search' })
  await search.fill('ada CAFE open')
  await page.waitForURL(/q=ada\+CAFE/)
  await page.getByText('old text 59.').waitFor({ state: 'detached' })
  await ada.getByText('The café is open').waitFor()
  await search.fill('nowhere')
  await search.press('Enter')
  await page.getByText('No text is like this').waitFor()
  await checkAccessibility(page)
  assert.deepEqual(faults, [])
})

test('in Chromium a conversation opens at its newest text, and keeps its place while older ones come in', {
  skip,
  timeout,
}, async t => {
  const { address, page, faults, ada } = await start(t)
  const isInSight = (one: typeof ada) =>
    one.evaluate(element => {
      const { top, bottom } = element.getBoundingClientRect()
      return top >= 0 && bottom <= innerHeight
    })
  const untilAtEnd = async (pane: typeof ada) => {
    const newest = pane.locator('.talk').getByText('old text 59.')
    await newest.waitFor()
    for (const one of [newest, pane.getByRole('button', { name: 'Send reply' })])
      while (!(await isInSight(one))) await page.evaluate('new Promise(requestAnimationFrame)')
  }
  const main = page.locator('main')
  await ada.click()
  await untilAtEnd(main)
  await page.goto(`${address}/#/texts?cut=received`)
  // Its texts are known now, so that they are drawn at once.
  await ada.click()
  await untilAtEnd(main)

  const earlier = page.getByRole('button', { name: 'Show earlier texts' })
  await earlier.scrollIntoViewIfNeeded()
  const first = page.getByText('old text 10.')
  const topOfFirst = () => first.evaluate(text => text.getBoundingClientRect().top)
  const before = await topOfFirst()
  await earlier.click()
  await page.getByText('old text 3.').waitFor()
  assert.ok(Math.abs((await topOfFirst()) - before) <= 1, 'what is read stays while older texts come in')

  // Beside its list a conversation has a scroll bar of its own.
  await page.setViewportSize({ width: 1920, height: 800 })
  await page.goto(`${address}/#/texts?cut=received`)
  await ada.click()
  const beside = page.getByRole('region', { name: 'What is open' })
  await untilAtEnd(beside)
  await page.reload()
  await untilAtEnd(beside)
  assert.deepEqual(faults, [])
})

test('in Chromium a reply and a waiting text go by another phone if their own is offline', {
  skip,
  timeout,
}, async t => {
  const gateway = await startGateway()
  t.after(() => gateway.stop())
  const { accountId, token } = await gateway.owner()
  const [hall, attic] = [
    await PairedPhone.pair(gateway, accountId),
    await PairedPhone.pair(gateway, accountId),
  ]
  for (const [phone, name] of [
    [hall, 'Hall'],
    [attic, 'Attic'],
  ] as const) {
    await gateway.call('PATCH', `/api/v1/devices/${phone.deviceId}`, { token, json: { name } })
    await phone.connect(gateway.url)
  }
  t.after(() => attic.disconnect())
  await hall.reportReceived({ id: 'a', from: ADA, message: 'Who is there?' })
  await hall.reportReceived({ id: 'b', from: ADA, message: 'Stop.', simSlot: 2 })
  await hall.disconnect()
  const address = onLan(gateway.url)
  const context = await (await openBrowser(t)).newContext({ viewport: { width: 1280, height: 800 } })
  await logInBrowser(context, gateway, address)
  const { page, faults } = await openPage(context)
  await page.goto(`${address}/#/texts/${encodeURIComponent(ADA)}`)
  const notice = page.getByText('The text waits for a phone: Hall is offline since')
  await notice.waitFor()
  await checkAccessibility(page)
  await page.getByLabel('Send by another phone').check()
  await notice.waitFor({ state: 'detached' })
  await page.getByLabel('Reply').fill('It is me')
  await page.getByRole('button', { name: 'Send reply' }).click()
  await page.locator('.talk').getByText('It is me').waitFor()
  const sent = await gateway.call('GET', '/api/v1/sms?limit=1', { token })
  assert.equal(sent.json?.data[0]?.['deviceId'], attic.deviceId)
  // By its own phone it leaves by the SIM that got the last text.
  await page.getByLabel('Send by another phone').uncheck()
  await page.getByLabel('Reply').fill('Coming')
  const asked = page.waitForRequest(/sms\/send$/)
  await page.getByRole('button', { name: 'Send reply' }).click()
  const { deviceId, simSlot } = (await asked).postDataJSON()
  assert.deepEqual([deviceId, simSlot], [hall.deviceId, 2])
  await page.locator('.talk').getByText('Coming').waitFor()

  const json = { phoneNumber: ADA, message: 'Dinner', deviceId: hall.deviceId, queueIfOffline: true }
  const waiting = await gateway.call('POST', '/api/v1/sms/send', { token, json })
  const id = String(waiting.json?.data['messageId'])
  await page.goto(`${address}/#/texts/${id}`)
  await page.getByText('Waits for a phone: Hall is offline since').waitFor()
  const again = page.getByRole('link', { name: 'Send again' })
  assert.equal(await again.count(), 0, 'it would be sent twice')
  await page.getByRole('button', { name: 'Cancel, and send by another phone' }).click()
  await page.waitForURL(/texts\/new/)
  assert.equal(await page.getByRole('textbox', { name: 'Text' }).inputValue(), 'Dinner')
  const { text } = await gateway.call('GET', `/api/v1/sms/${id}`, { token })
  assert.match(text, /"code":"CANCELLED"/)
  await page.goto(`${address}/#/texts/${id}`)
  await again.waitFor()
  assert.deepEqual(faults, [])
})

test('in Chromium a short code is answered, and texted when its sender says that it is right', {
  skip,
  timeout,
}, async t => {
  const { phone, address, page, faults } = await start(t)
  await phone.reportReceived({ id: 'a', from: '72404', message: 'Reply YES' })
  await page.goto(`${address}/#/texts/72404`)
  await page.getByLabel('Reply').fill('YES')
  await page.getByRole('button', { name: 'Send reply' }).click()
  await page.locator('.talk').getByText('YES', { exact: true }).waitFor()

  await page.goto(`${address}/#/texts/new`)
  await page.getByLabel('To').fill('3311')
  await page.getByRole('textbox', { name: 'Text' }).fill('BALANCE')
  await page.getByRole('button', { name: 'Send text' }).click()
  await page.getByText('to text a short code, add').waitFor()
  await checkAccessibility(page)
  await page.getByLabel('Send to this number as it is').check()
  await page.getByRole('button', { name: 'Send text' }).click()
  await page.waitForURL(/texts\/msg_/)
  const sent = await phone.whenSent(2)
  assert.deepEqual(
    sent.map(({ phoneNumber, message }) => `${phoneNumber} ${message}`),
    ['72404 YES', '3311 BALANCE'],
  )
  // The browser logs the refusal.
  assert.deepEqual(
    faults.filter(fault => !fault.includes('400')),
    [],
  )
})

test('in Chromium a reply to a number that said STOP is asked for, and the list lets it go', {
  skip,
  timeout,
}, async t => {
  const gateway = await startGateway()
  t.after(() => gateway.stop())
  const { accountId, liveKey: key } = await gateway.owner()
  const phone = await PairedPhone.pair(gateway, accountId)
  await phone.connect(gateway.url)
  t.after(() => phone.disconnect())
  await gateway.call('POST', '/api/v1/sms/send', { key, json: { phoneNumber: ADA, message: 'Dinner?' } })
  await phone.whenSent(1)
  const address = onLan(gateway.url)
  const context = await (await openBrowser(t)).newContext({ viewport: { width: 375, height: 800 } })
  await logInBrowser(context, gateway, address)
  const { page, faults } = await openPage(context)
  await page.goto(`${address}/#/texts/${encodeURIComponent(ADA)}`)
  await page.getByRole('button', { name: 'Send reply' }).waitFor()
  await phone.reportReceived({ id: 'stop', from: ADA, message: 'stop' })
  await page.getByText('They want no more texts.').waitFor()
  await page.getByLabel('Reply').fill('Sorry')
  await page.getByRole('button', { name: 'Text them all the same' }).click()
  assert.equal((await phone.whenSent(2)).at(-1)?.message, 'Sorry')
  await page.getByRole('link', { name: 'Show the list' }).click()
  await page.getByText('said STOP').waitFor()
  await checkAccessibility(page)
  await page.getByLabel('Phone number').fill('+14155550123')
  await page.getByRole('button', { name: 'Send it no more texts' }).click()
  await page.getByText('put here by hand').waitFor()
  const allow = page.getByRole('button', { name: 'Allow texts again' })
  for (let left = 2; left > 0; left--) {
    await allow.nth(left - 1).click()
    await allow.nth(left - 1).waitFor({ state: 'detached' })
  }
  await page.getByText('No number is on the list').waitFor()
  assert.deepEqual(faults, [])
})
