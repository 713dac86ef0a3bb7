/** Buttons that copy, on plain HTTP, where a page may not use the clipboard. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { onLan, openBrowser, openPage, withoutBrowser } from '#test/kit/console-browser.ts'
import { logInBrowser } from '#test/kit/console-session.ts'
import { startGateway } from '#test/kit/gateway.ts'
import { HANGS_AFTER_MS } from '#test/kit/patience.ts'

test('in Chromium every button copies on plain HTTP', {
  skip: withoutBrowser,
  timeout: HANGS_AFTER_MS,
}, async t => {
  const gateway = await startGateway()
  t.after(() => gateway.stop())
  const address = onLan(gateway.url)
  const context = await (await openBrowser(t)).newContext()
  await logInBrowser(context, gateway, address)
  const { page, faults } = await openPage(context)

  const { accountId } = await gateway.owner()
  const { code } = await gateway.ask('device.create-pairing', { accountId, name: null })
  await page.goto(`${address}/device/v1/pair?code=${code}`)
  assert.equal(await page.evaluate('isSecureContext'), false)
  const lines = await page.locator('pre').allInnerTexts()
  const buttons = await page.locator('button[data-copies]').all()
  assert.deepEqual([lines.length, buttons.length], [3, 3])
  assert.ok(lines.some(line => line.includes(`--code ${code} --driver termux`)))
  for (const [index, button] of buttons.entries()) {
    await button.click()
    assert.equal(await button.innerText(), 'Copied')
    assert.equal(await pasteInto(page), lines[index])
  }

  await page.goto(`${address}/#/devices/pair`)
  await page.getByRole('button', { name: 'More ways' }).click()
  await page.getByRole('button', { name: 'Another phone, with the app Termux' }).click()
  const shown = (await page.locator('.code').innerText()).replace(' ', '')
  await page.getByRole('button', { name: 'Copy the code' }).click()
  await page.getByText('Copied').waitFor()
  assert.equal(await pasteInto(page), shown)
  await page.getByRole('button', { name: 'Copy the server' }).click()
  await page.getByText('Copied').nth(1).waitFor()
  assert.equal(await pasteInto(page), address)
  await page.getByRole('button', { name: 'This phone, with the app Termux' }).click()
  await page.getByRole('button', { name: 'Copy the lines' }).click()
  await page.getByText('Copied').waitFor()
  assert.equal(await pasteInto(page), await page.locator('pre').first().innerText())

  await page.goto(`${address}/#/settings/keys`)
  await page.getByLabel('Name', { exact: true }).fill('Backup script')
  await page.getByRole('button', { name: 'Make key' }).click()
  await page.getByRole('button', { name: 'Copy the key' }).click()
  await page.getByText('Copied').waitFor()
  assert.match(await pasteInto(page), /^sk_live_\w+$/)

  const { testKey } = await gateway.owner()
  const json = { phoneNumber: '+14155550123', message: 'Hello' }
  await gateway.call('POST', '/api/v1/sms/send', { key: testKey, json })
  await page.goto(`${address}/#/texts?test=true`)
  await page.locator('.list a').first().click()
  // A status that arrives while the mouse button is down moves the button away, and the click is lost.
  await page.locator('.text-line').getByText('Delivered').waitFor()
  await page.getByText('Send this text from a script').click()
  await page.getByRole('button', { name: 'Copy the command' }).click()
  await page.getByText('Copied').waitFor()
  assert.match(await pasteInto(page), /^curl 'http.*Hello/)
  assert.deepEqual(faults, [])
})

/** What Ctrl+V gives: these pages may not read the clipboard. */
async function pasteInto(page: Page): Promise<string> {
  await page.evaluate(
    "document.body.append(Object.assign(document.createElement('textarea'), { id: 'paste' }))",
  )
  await page.locator('#paste').focus()
  await page.keyboard.press('ControlOrMeta+V')
  const text = await page.locator('#paste').inputValue()
  await page.evaluate("document.getElementById('paste').remove()")
  return text
}
