/** The console in German: as the browser asks for it, on every page, and until another language is chosen. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CONSOLE_PAGES, onLan, openBrowser, openPage, withoutBrowser } from '#test/kit/console-browser.ts'
import { logInBrowser } from '#test/kit/console-session.ts'
import { startGateway } from '#test/kit/gateway.ts'
import { PairedPhone } from '#test/kit/paired-phone.ts'
import { HANGS_AFTER_MS } from '#test/kit/patience.ts'

/** The entries of the menu that take two lines. The longest is wider on its own page, where it is bold. */
const WRAPPED_ENTRIES = `[...document.querySelectorAll('.nav a')]
  .filter(({ offsetHeight }) => offsetHeight > 60 || (innerWidth > 1000 && offsetHeight > 50))
  .map(({ textContent }) => textContent)`

const ADA = { name: 'Ada', phoneNumber: '+4915123456789' }

test('in Chromium a German browser gets a German console, in which nothing is cut off', {
  skip: withoutBrowser,
  timeout: HANGS_AFTER_MS,
}, async t => {
  const gateway = await startGateway()
  t.after(() => gateway.stop())
  const { accountId } = await gateway.owner()
  const phone = await PairedPhone.pair(gateway, accountId)
  await phone.connect(gateway.url)
  await phone.disconnect()
  const address = onLan(gateway.url)
  const context = await (await openBrowser(t)).newContext({ locale: 'de-AT' })
  const { page, faults } = await openPage(context)
  await page.goto(`${address}/`)
  await page.getByRole('heading', { name: 'Bei Roost anmelden' }).waitFor()
  assert.equal(await page.locator('html').getAttribute('lang'), 'de')
  await page.getByLabel('E-Mail-Adresse').fill('nobody@example.org')
  await page.getByLabel('Passwort', { exact: true }).fill('falsch falsch falsch')
  await page.getByRole('button', { name: 'Anmelden' }).click()
  await page.getByText('E-Mail-Adresse oder Passwort ist falsch').waitFor()
  assert.equal(faults.splice(0).filter(fault => !fault.includes('401')).length, 0)

  for (const [link, heading] of [
    ['setup/stp_0', 'Roost einrichten'],
    ['invite/inv_0', 'Willkommen bei Roost'],
  ] as const) {
    await page.goto(`${address}/#/${link}`)
    await page.getByRole('heading', { name: heading }).waitFor()
    assert.deepEqual(
      await page
        .locator('main')
        .getByText(/\b(the|this|your|password)\b/i)
        .allInnerTexts(),
      [],
    )
  }

  await logInBrowser(context, gateway, address)
  await page.goto(`${address}/#/`)
  await page.reload()
  await page.getByText('Bin ich erreichbar?').waitFor()
  for (const width of [375, 1280]) {
    await page.setViewportSize({ width, height: 800 })
    for (const path of CONSOLE_PAGES) {
      await page.goto(`${address}/#/${path}`)
      await page.locator('h1').first().waitFor()
      const over = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
      assert.ok(Number(over) <= 0, `${path} is ${over} px too wide at ${width}`)
      assert.deepEqual(await page.evaluate(WRAPPED_ENTRIES), [], `${path} at ${width}`)
    }
  }

  const { token } = await gateway.owner()
  await gateway.call('POST', '/api/v1/people', { token, json: ADA })
  await page.goto(`${address}/#/people/new`)
  await page.getByLabel('Name', { exact: true }).fill('Bob')
  await page.getByLabel('Handynummer').fill(ADA.phoneNumber)
  await page.getByRole('button', { name: 'Person hinzufügen' }).click()
  await page.getByText('Ada hat diese Nummer schon: Jede Person braucht eine eigene').waitFor()
  // 503: a preview of a text that a busy machine did not make in time.
  assert.deepEqual(
    faults.splice(0).filter(fault => !/409|503 .*preview$/.test(fault)),
    [],
  )

  await page.goto(`${address}/#/settings/browser`)
  await page.getByLabel('Sprache').selectOption('en')
  await page.getByRole('heading', { name: 'This browser' }).waitFor()
  assert.equal(await page.locator('html').getAttribute('lang'), 'en')
  await page.reload()
  await page.getByRole('heading', { name: 'This browser' }).waitFor()
  assert.deepEqual(faults, [])
})
