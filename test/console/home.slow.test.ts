/** Home in the browser: an alert that nobody has comes first, and what is said about phones agrees. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BrowserContext } from 'playwright-core'
import {
  checkAccessibility,
  onLan,
  openBrowser,
  openPage,
  takePicture,
  withoutBrowser,
} from '#test/kit/console-browser.ts'
import { logInBrowser } from '#test/kit/console-session.ts'
import { bringInto, startInState } from '#test/kit/console-states.ts'
import { startGateway } from '#test/kit/gateway.ts'
import { PairedPhone } from '#test/kit/paired-phone.ts'
import { HANGS_AFTER_MS } from '#test/kit/patience.ts'
import { addUser, USER_PASSWORD } from '#test/kit/users.ts'
import { WebhookCalls } from '#test/kit/webhook-calls.ts'

const timeout = HANGS_AFTER_MS
const skip = withoutBrowser
/** Plain words, which are the text also where a busy machine does not read the alert in time. */
const ALERT = 'The backup has failed'

test('in Chromium Home begins with the alert that nobody has, and an operator takes it there', {
  skip,
  timeout,
}, async t => {
  const gateway = await startGateway()
  t.after(() => gateway.stop())
  const { accountId, token } = await gateway.owner()
  const phone = await PairedPhone.pair(gateway, accountId)
  await phone.connect(gateway.url)
  t.after(() => phone.disconnect())
  const make = async (path: string, json: object) => {
    const { json: answer, text } = await gateway.call('POST', `/api/v1/${path}`, { token, json })
    assert.ok(answer !== undefined, text)
    return String(answer.data['id'])
  }
  const ada = await make('people', { name: 'Ada', phoneNumber: '+4915123456789' })
  const policyId = await make('policies', { name: 'Nights', steps: [{ afterMinutes: 0, tell: [ada] }] })
  const webhooks = new WebhookCalls(gateway, token)
  const { url } = await webhooks.create({ name: 'Kuma', recipients: [], policyId })
  await fetch(`${gateway.url}${url}`, { method: 'POST', body: ALERT })

  const address = onLan(gateway.url)
  const browser = await openBrowser(t)
  const openHome = async (context: BrowserContext) => {
    const opened = await openPage(context)
    await opened.page.goto(`${address}/#/`)
    return { ...opened, alert: opened.page.getByRole('article').filter({ hasText: ALERT }) }
  }
  await addUser(gateway, { accountId }, { email: 'looker@example.org', role: 'viewer' })
  const viewer = await openHome(await browser.newContext())
  await viewer.page.getByLabel('E-mail address').fill('looker@example.org')
  await viewer.page.getByLabel('Password', { exact: true }).fill(USER_PASSWORD)
  await viewer.page.getByRole('button', { name: 'Log in' }).click()
  await viewer.alert.waitFor()
  assert.equal(await viewer.alert.getByRole('button').count(), 0)

  const context = await browser.newContext({ viewport: { width: 375, height: 800 } })
  await logInBrowser(context, gateway, address)
  const { page, faults, alert } = await openHome(context)
  await alert.waitFor()
  await page.getByRole('heading', { name: 'Can I be reached? Yes.' }).waitFor()
  const top = async (found: typeof alert) => (await found.boundingBox())?.y ?? Number.NaN
  assert.ok((await top(alert)) < (await top(page.locator('h1'))))
  const primary = page.locator('main .primary')
  await primary.waitFor()
  assert.match(await primary.innerText(), /I take it/)
  await page.getByRole('heading', { name: 'One other thing is wrong' }).waitFor()
  await checkAccessibility(page)
  await takePicture(page, 'home-alert')
  await alert.getByRole('button', { name: /^I take it ?: .*The backup has failed/ }).click()
  await alert.waitFor({ state: 'detached' })
  await viewer.alert.waitFor({ state: 'detached' })
  await page.getByRole('heading', { name: 'One thing is wrong' }).waitFor()
  assert.equal(await page.locator('.problems > li').count(), 1)
  assert.equal(await primary.innerText(), 'Write a text')
  const { json } = await gateway.call('GET', '/api/v1/incidents?state=taken', { token })
  assert.equal(json?.data.length, 1)
  assert.deepEqual(faults, [])
})

test('in Chromium a phone that is offline or at its cap is nowhere shown as one that sends', {
  skip,
  timeout,
}, async t => {
  const gateway = await startGateway()
  t.after(() => gateway.stop())
  const { accountId, token } = await gateway.owner()
  const [hall, attic, cellar] = [
    await PairedPhone.pair(gateway, accountId),
    await PairedPhone.pair(gateway, accountId),
    await PairedPhone.pair(gateway, accountId),
  ]
  for (const phone of [hall, attic]) {
    await phone.connect(gateway.url)
    t.after(() => phone.disconnect())
  }
  for (const [phone, name, cap] of [
    [hall, 'Hall', null],
    [attic, 'Attic', 1],
    [cellar, 'Cellar', null],
  ] as const) {
    const json = { name, smsPerDayMax: cap }
    await gateway.call('PATCH', `/api/v1/devices/${phone.deviceId}`, { token, json })
  }
  const json = { phoneNumber: '+4915123456789', message: 'Hello', deviceId: attic.deviceId }
  await gateway.call('POST', '/api/v1/sms/send', { token, json })

  const address = onLan(gateway.url)
  const context = await (await openBrowser(t)).newContext({ viewport: { width: 1280, height: 800 } })
  await logInBrowser(context, gateway, address)
  await context.addInitScript(`observers = 0
    IntersectionObserver = class extends IntersectionObserver {
      constructor(...given) { super(...given); observers++ }
    }`)
  const { page, faults } = await openPage(context)
  await page.goto(`${address}/#/`)
  await page.getByRole('heading', { name: 'Yes, but only 1 of 3 phones sends.' }).waitFor()
  // What Home shows is asked for before the answer about the session.
  const startOf = (path: string) =>
    page.evaluate<number>(`performance.getEntriesByName('${address}/api/v1/${path}')[0].startTime`)
  assert.ok((await startOf('devices')) <= (await startOf('session')))
  const said = page.getByRole('status').filter({ hasText: 'Cellar is offline' })
  await said.filter({ hasText: 'Attic has sent its 1 SMS of today' }).waitFor()
  const picture = page.locator('.picture')
  await picture.getByRole('link', { name: 'Attic' }).getByText('at its cap').waitFor()
  await picture.getByRole('link', { name: 'Cellar' }).getByText('offline since').waitFor()
  await page.goto(`${address}/#/devices`)
  const line = (name: string) => page.locator('.phones li').filter({ hasText: name })
  await line('Hall').getByText('Online', { exact: false }).waitFor()
  await line('Attic').getByText('At its cap').waitFor()
  await line('Attic').getByText('1 of 1 SMS of today').waitFor()
  await line('Cellar').getByText('Offline').waitFor()
  // The last half-hour of a strip is the phone as it is now.
  const endsWith = async (name: string, cell: string) =>
    (await line(name).locator(`.strip .cell-${cell}`).getAttribute('d'))?.includes('M47.1 ')
  assert.deepEqual([await endsWith('Hall', 'good'), await endsWith('Cellar', 'off')], [true, true])
  await line('Cellar')
    .getByRole('img', { name: /^Last 24 hours: 0 sent, 0 failed, .*no data for/ })
    .waitFor()
  for (const word of ['online', 'offline', 'failures', 'no data'])
    await page.locator('.strip-keys').getByText(word, { exact: true }).waitFor()
  // Hundreds of observers took long.
  assert.equal(await page.evaluate('observers'), 1)
  await checkAccessibility(page)
  await line('Attic').getByRole('link').click()
  await page.getByText('Attic has used 1 of 1 SMS of this day').waitFor()
  await page.locator('.figures').getByText('At its cap').waitFor()
  await checkAccessibility(page)
  assert.deepEqual(faults, [])
})

test('in Chromium whoever logs in next sees no phone of the one before', { skip, timeout }, async t => {
  const gateway = await startGateway()
  t.after(() => gateway.stop())
  const { accountId } = await gateway.owner()
  await PairedPhone.pair(gateway, accountId)
  const other = await gateway.account('other@example.org')
  await addUser(gateway, other, { email: 'looker@example.org', role: 'viewer' })
  const context = await (await openBrowser(t)).newContext()
  // Live news would make the page ask again.
  await context.addInitScript('WebSocket = class { close() {} }')
  const address = onLan(gateway.url)
  await logInBrowser(context, gateway, address)
  const { page } = await openPage(context)
  await page.goto(`${address}/#/`)
  const phones = page.locator('[data-node^="dev_"]')
  await phones.waitFor()
  await page.getByRole('button', { name: 'Log out' }).click()
  const asked = page.waitForResponse(answer => answer.url().endsWith('/api/v1/devices'))
  await page.getByLabel('E-mail address').fill('looker@example.org')
  await page.getByLabel('Password', { exact: true }).fill(USER_PASSWORD)
  await page.getByRole('button', { name: 'Log in' }).click()
  await asked
  await page.getByRole('heading', { name: 'Can I be reached?' }).waitFor()
  assert.equal(await phones.count(), 0)
})

test('in Chromium Home counts what it lists, and claims nothing while the gateway is away', {
  skip,
  timeout,
}, async t => {
  const gateway = await startInState(t, 'full')
  const context = await (await openBrowser(t)).newContext({ viewport: { width: 1280, height: 800 } })
  await bringInto('full', context, gateway)
  const { page } = await openPage(context)
  await page.goto(`${gateway.url}/#/`)
  await page.getByRole('heading', { name: '2 other things are wrong' }).waitFor()
  const rows = page.locator('.problems > li')
  // The phones that are offline are one row, with as many as the picture shows.
  assert.match((await rows.allInnerTexts()).join(), /^No phone that can call .*3 phones are offline: Office/s)
  await page.locator('[data-node=offline]').getByText('3 phones are offline').waitFor()
  assert.equal(await rows.getByRole('link', { name: /^Show the (policies|phones) ?:/ }).count(), 2)
  await page.locator('.nav .badge.calm').getByText('2 problems').waitFor()
  assert.match(await page.title(), /^\(2\) /)
  await page.getByText('Yes, but only 2 of 5 phones send.').waitFor()
  const take = page.getByRole('button', { name: /^I take it/ })
  assert.ok(await take.isEnabled())
  await gateway.stop()
  await page.getByRole('heading', { name: 'Can I be reached? Not known now.' }).waitFor()
  await page.getByText(/^At \d\d:\d\d the answer was: Yes, but only 2 of 5/).waitFor()
  assert.ok(await take.isDisabled())
  assert.ok(await page.getByRole('button', { name: 'Save as a table' }).isDisabled())
})
