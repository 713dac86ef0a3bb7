/** The console in Debian's Firefox: every page, accessible, by keyboard, and with news that arrive. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  checkAccessibility,
  Keyboard,
  openFirefox,
  openPage,
  withoutFirefox,
} from '#test/kit/console-browser.ts'
import { bringInto, pagesIn, startInState } from '#test/kit/console-states.ts'

test('in Firefox every page is accessible, and a text is written by keyboard and followed live', {
  skip: withoutFirefox,
  timeout: 600_000,
}, async t => {
  const gateway = await startInState(t, 'full')
  const context = await (await openFirefox(t)).newContext({ viewport: { width: 1280, height: 800 } })
  await bringInto('full', context, gateway)
  const { page, faults } = await openPage(context)
  for (const hash of pagesIn('full')) {
    await page.goto(`${gateway.url}/#/${hash}`)
    await page.locator('h1').first().waitFor()
    await checkAccessibility(page)
    assert.equal(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), 0, hash)
  }
  const keys = new Keyboard(page)
  await page.goto(`${gateway.url}/#/messages/new`)
  await keys.type('To', '+14155550123')
  await keys.type('Text', 'Written in Firefox')
  await keys.choose('Send text')
  await page.getByRole('heading', { name: 'To +14155550123' }).waitFor()
  await page.goto(`${gateway.url}/#/messages`)
  await page.locator('.texts').getByText('Written in Firefox').waitFor()
  const { liveKey } = await gateway.owner()
  const json = { phoneNumber: '+14155550123', message: 'It arrives by itself', queueIfOffline: true }
  await gateway.call('POST', '/api/v1/sms/send', { key: liveKey, json })
  await page.locator('.texts').getByText('It arrives by itself').waitFor()
  assert.deepEqual(faults, [])
})
