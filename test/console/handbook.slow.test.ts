/** The handbook in a real browser: every page keeps its policy, and the search leads to the right section. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkAccessibility, openBrowser, openPage, withoutBrowser } from '#test/kit/console-browser.ts'
import { startGateway } from '#test/kit/gateway.ts'
import { HANGS_AFTER_MS } from '#test/kit/patience.ts'

test('in Chromium the handbook is read and searched, without another host', {
  skip: withoutBrowser,
  timeout: HANGS_AFTER_MS,
}, async t => {
  const gateway = await startGateway()
  t.after(() => gateway.stop())
  const browser = await openBrowser(t)
  const { page, faults } = await openPage(browser)
  const asked: string[] = []
  page.on('request', request => asked.push(request.url()))
  await page.goto(`${gateway.url}/handbook`)
  await checkAccessibility(page)
  await page.getByLabel('Search').fill('phone is not charging')
  await page.locator('#found a').first().waitFor()
  await page.keyboard.press('Enter')
  assert.ok(
    await page
      .locator('#found a')
      .first()
      .evaluate(link => link === document.activeElement),
  )
  assert.match(page.url(), /\/handbook$/)
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/handbook\/what-is-wrong$/)
  await page.getByLabel('Search').fill('xyzzy')
  await page.getByText('Nothing found.').waitFor()
  assert.equal(await page.locator('#found a').count(), 3)
  await page.goto(`${gateway.url}/handbook/what-is-wrong#BATTERY_LOW`)
  assert.ok(await page.locator('tr', { has: page.locator('#BATTERY_LOW:target') }).isVisible())
  await checkAccessibility(page)
  assert.deepEqual(faults, [])
  assert.deepEqual(
    asked.filter(url => !url.startsWith(gateway.url)),
    [],
  )
})
