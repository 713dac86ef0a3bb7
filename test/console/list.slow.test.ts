/** The list of texts answers who, when and why, in the browser. */
import assert from 'node:assert/strict'
import { buffer } from 'node:stream/consumers'
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

/** A gateway with a cancelled text and one for Ada, and a browser at the list. */
async function start(t: Cleaner) {
  const gateway = await startGateway({ config: { messages: { default_country: 'FR' } } })
  t.after(() => gateway.stop())
  const { accountId, liveKey, token } = await gateway.owner()
  await PairedPhone.pair(gateway, accountId)
  const ada = { name: 'Ada Lovelace', phoneNumber: '+33612345679' }
  await gateway.call('POST', '/api/v1/people', { token, json: ada })
  const send = async (phoneNumber: string, message: string) => {
    const json = { phoneNumber, message, queueIfOffline: true }
    const { json: answer } = await gateway.call('POST', '/api/v1/sms/send', { key: liveKey, json })
    return String(answer?.data['messageId'])
  }
  const cancelled = await send('+33612345678', 'Café closes')
  await gateway.call('DELETE', `/api/v1/sms/${cancelled}`, { key: liveKey })
  await send('+33612345679', 'Shop opens')

  const address = onLan(gateway.url)
  const context = await (await openBrowser(t)).newContext({ viewport: { width: 375, height: 800 } })
  await logInBrowser(context, gateway, address)
  const { page, faults } = await openPage(context)
  await page.goto(`${address}/#/texts`)
  return { page, faults, lines: page.locator('.texts a') }
}

test('in Chromium the list of texts says why, and finds who and when', { skip, timeout }, async t => {
  const { page, faults, lines } = await start(t)
  await lines.filter({ hasText: 'Café closes' }).getByText('cancelled').waitFor()
  const shop = lines.filter({ hasText: 'Shop opens' }).filter({ hasText: 'Ada Lovelace' })
  await shop.getByText('phone is offline').waitFor()
  await checkAccessibility(page)
  assert.equal(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), 0)

  await shop.click()
  await page.getByRole('heading', { name: 'To Ada Lovelace' }).waitFor()
  await page.getByText('Waits for a phone: phone is offline since').waitFor()
  await page.goBack()

  // The only phone is offline.
  await page.getByRole('link', { name: 'Home 1 problem' }).waitFor()
  assert.equal(await page.title(), '(1) Texts – Roost')
  assert.match((await page.locator('link[rel=icon]').getAttribute('href')) ?? '', /icon-trouble/)

  const search = page.getByRole('combobox', { name: 'Search' })
  for (const typed of ['06 12 34 56 78', 'closes cafe']) {
    await search.fill(typed)
    await lines.filter({ hasText: 'Shop opens' }).waitFor({ state: 'detached' })
    await lines.filter({ hasText: 'Café closes' }).waitFor()
    await search.fill('')
    await search.press('Enter')
    await lines.filter({ hasText: 'Shop opens' }).waitFor()
  }
  await page.getByRole('button', { name: 'All 2' }).waitFor()
  await page.getByRole('button', { name: 'Waiting 1' }).waitFor()
  await page.getByRole('button', { name: 'Failed 1' }).click()
  await lines.filter({ hasText: 'Shop opens' }).waitFor({ state: 'detached' })
  await search.fill('cafe today')
  await page.waitForURL(/cut=failed&q=cafe\+today/)
  await page.getByText('today', { exact: true }).waitFor()
  await lines.filter({ hasText: 'Café closes' }).waitFor()
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save as a table' }).click(),
  ])
  const table = (await buffer(await saved.createReadStream())).toString()
  assert.match(table, /^\ufeffmessageId,/)
  assert.equal(table.trim().split('\r\n').length, 2)
  assert.match(table, /,\+33612345678,Café closes,/)
  await page.getByRole('link', { name: 'Search the words instead' }).click()
  await page.getByText('No text is like this').waitFor()
  await search.fill('yesterday')
  await page.waitForURL(/q=yesterday/)
  await page.getByText('yesterday', { exact: true }).waitFor()
  await checkAccessibility(page)
  await page.reload()
  await page.getByText('No text is like this').waitFor()
  await page.getByRole('main').getByRole('link', { name: 'Show all texts' }).click()
  await page.getByLabel('Where from').selectOption('From you and scripts')
  await page.waitForURL(/kind=sms/)
  await lines.filter({ hasText: 'Shop opens' }).waitFor()
  assert.deepEqual(faults, [])
})

test('in Chromium a search for a name finds the texts to that person', { skip, timeout }, async t => {
  const { page, faults, lines } = await start(t)
  const search = page.getByRole('combobox', { name: 'Search' })
  for (const typed of ['ada', 'Lovelace, Ádá today']) {
    await search.fill(typed)
    // The page searches after a pause in typing.
    await page.waitForURL(({ hash }) => new URLSearchParams(hash.split('?')[1]).get('q') === typed)
    await lines.filter({ hasText: 'Café closes' }).waitFor({ state: 'detached' })
    await lines.filter({ hasText: 'Shop opens' }).waitFor()
    assert.equal(await search.inputValue(), typed)
    await checkAccessibility(page)
  }
  await search.fill('')
  await lines.filter({ hasText: 'Café closes' }).waitFor()
  assert.deepEqual(faults, [])
})

test('in Chromium old addresses of sent and received texts lead to the list', { skip, timeout }, async t => {
  const { page, faults, lines } = await start(t)
  const go = (hash: string) => page.evaluate(`location.hash = '${hash}'`)
  await go('#/messages?status=failed&when=today')
  await lines.filter({ hasText: 'Shop opens' }).waitFor({ state: 'detached' })
  await lines.filter({ hasText: 'Café closes' }).waitFor()
  assert.equal(await page.getByRole('combobox', { name: 'Search' }).inputValue(), 'today')
  await go('#/received')
  await page.getByText('No text is like this').waitFor()
  assert.deepEqual(faults, [])
})

test('in Chromium Back from a text shows the row that led to it', { skip, timeout }, async t => {
  const gateway = await startGateway()
  t.after(() => gateway.stop())
  const { accountId, liveKey } = await gateway.owner()
  await PairedPhone.pair(gateway, accountId)
  for (let i = 0; i < 55; i++) {
    const json = { phoneNumber: '+33612345600', message: `row ${i}.`, queueIfOffline: true }
    await gateway.call('POST', '/api/v1/sms/send', { key: liveKey, json })
  }
  const address = onLan(gateway.url)
  const context = await (await openBrowser(t)).newContext({ viewport: { width: 375, height: 800 } })
  await logInBrowser(context, gateway, address)
  const { page, faults } = await openPage(context)
  await page.goto(`${address}/#/texts`)
  await page.getByRole('button', { name: 'Show more' }).click()
  const row = page.locator('.texts a').filter({ hasText: 'row 3.' })
  await row.click()
  await page.getByRole('heading', { name: 'To +33612345600' }).waitFor()
  assert.equal(await page.evaluate('scrollY'), 0)
  await page.goBack()
  await row.waitFor()
  assert.equal(await page.evaluate("document.activeElement.textContent.includes('row 3.')"), true)
  assert.ok(Number(await page.evaluate('scrollY')) > 2000)
  assert.deepEqual(faults, [])
})

test('in Chromium what was typed is kept until it was sent or the reader logs out', {
  skip,
  timeout,
}, async t => {
  const gateway = await startGateway()
  t.after(() => gateway.stop())
  await gateway.owner()
  const address = onLan(gateway.url)
  const context = await (await openBrowser(t)).newContext({ viewport: { width: 1280, height: 800 } })
  await logInBrowser(context, gateway, address)
  const { page, faults } = await openPage(context)
  await page.goto(`${address}/#/webhooks/new`)
  const name = page.getByLabel('Name', { exact: true })
  const numbers = page.getByLabel('Who gets the texts')
  await name.fill('Backup')
  await numbers.fill('+14155550123')
  await numbers.press('Enter')
  const chosen = page.getByRole('button', { name: 'Take out +14155550123' })
  await chosen.waitFor()
  assert.equal(await numbers.inputValue(), '')
  await page.getByRole('link', { name: 'Texts', exact: true }).click()
  await page.getByRole('heading', { name: 'Texts', exact: true }).waitFor()
  await page.goBack()
  assert.equal(await name.inputValue(), 'Backup')
  await page.reload()
  await chosen.waitFor()
  assert.equal(await name.inputValue(), 'Backup')
  await page.getByRole('button', { name: 'Make webhook' }).click()
  // The gateway shows the address once, so it stays until it was copied.
  const ready = page.getByRole('heading', { name: 'The webhook “Backup” is ready' })
  await ready.waitFor()
  await page.getByRole('link', { name: 'Texts', exact: true }).click()
  await page.reload()
  await page.goBack()
  await ready.waitFor()
  await page.getByRole('button', { name: 'Copy the address' }).click()
  await page.getByText('Copied').waitFor()
  await page.getByRole('link', { name: 'Texts', exact: true }).click()
  await page.goBack()
  await page.getByRole('heading', { name: 'Change it' }).waitFor()
  // A call that is on its way when the session ends is refused, and the browser reports that.
  const previewed = page.waitForResponse(
    answer => answer.url().endsWith('/preview') && answer.request().postDataJSON().webhookId === null,
  )
  await page.goto(`${address}/#/webhooks/new`)
  assert.equal(await name.inputValue(), '')

  await name.fill('Secret plan')
  await previewed
  await page.getByRole('button', { name: 'Log out' }).click()
  await page.getByRole('heading', { name: 'Log in' }).waitFor()
  assert.doesNotMatch(String(await page.evaluate('JSON.stringify(sessionStorage)')), /Secret plan/)
  assert.deepEqual(faults, [])
})
