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
import { PairedPhone } from '#test/kit/paired-phone.ts'

const timeout = 300_000
const skip = withoutBrowser
const ADA = '+4915123456789'

test('in Chromium received texts are new until they were seen, and are searched', {
  skip,
  timeout,
}, async t => {
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
  await page.goto(`${address}/#/received`)
  const ada = page.getByRole('link', { name: 'Ada' })
  await ada.getByText('old text 59.').waitFor()
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

  // Beside its list a conversation has a scroll bar of its own, and begins at its end, too.
  await page.setViewportSize({ width: 1920, height: 800 })
  await ada.click()
  const newest = page.getByRole('region', { name: 'What is open' }).getByText('The café is open')
  await newest.waitFor()
  while (!(await newest.evaluate(text => text.getBoundingClientRect().bottom < innerHeight)))
    await page.evaluate('new Promise(requestAnimationFrame)')
  await page.setViewportSize({ width: 375, height: 800 })
  await page.goto(`${address}/#/received`)

  const search = page.getByRole('searchbox', { name: 'Search' })
  await search.fill('CAFE open')
  await search.press('Enter')
  await page.waitForURL(/q=CAFE/)
  await ada.getByText('The café is open').waitFor()
  await search.fill('nowhere')
  await search.press('Enter')
  await page.getByText('No received text contains this').waitFor()
  await checkAccessibility(page)
  assert.deepEqual(faults, [])
})
