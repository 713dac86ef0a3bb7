/** The page about the API in a real browser: it draws every operation, and sends a text. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openBrowser, openPage, withoutBrowser } from '#test/kit/console-browser.ts'
import { startGateway } from '#test/kit/gateway.ts'
import { HANGS_AFTER_MS } from '#test/kit/patience.ts'

test('in Chromium the API page shows every operation and sends a text', {
  skip: withoutBrowser,
  timeout: HANGS_AFTER_MS,
}, async t => {
  const gateway = await startGateway()
  t.after(() => gateway.stop())
  const { testKey } = await gateway.owner()
  const { page, faults } = await openPage(await openBrowser(t))
  const asked: string[] = []
  page.on('request', request => asked.push(request.url()))
  await page.goto(`${gateway.url}/api/v1/docs`)
  await page.locator('#operations-messages-sendSms').waitFor()
  assert.ok((await page.locator('.opblock').count()) > 50)

  await page.locator('button.authorize').first().click()
  const dialog = page.locator('.modal-ux')
  await dialog.locator('input[type=text]').first().fill(testKey)
  await dialog.locator('button[type=submit]').first().click()
  await dialog.locator('button.btn-done').first().click()
  const operation = page.locator('#operations-messages-sendSms')
  await operation.locator('.opblock-summary-control').click()
  await operation.locator('button.try-out__btn').click()
  await operation
    .locator('textarea.body-param__text')
    .fill('{"phoneNumber":"+15005550006","message":"tried"}')
  await operation.locator('button.execute').click()
  await operation.locator('.live-responses-table .response-col_status', { hasText: '200' }).waitFor()
  const { text } = await gateway.call('GET', '/api/v1/sms', { key: testKey })
  assert.ok(text.includes('"tried"'))
  assert.deepEqual(faults, [])
  assert.deepEqual(
    asked.filter(url => !url.startsWith(gateway.url) && !url.startsWith('data:')),
    [],
  )
})
