/** A second login in the browser: invited by the owner, it may only look, and is disabled while it looks. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import {
  CONSOLE_LISTS,
  checkAccessibility,
  onLan,
  openBrowser,
  openPage,
  takePicture,
  withoutBrowser,
} from '#test/kit/console-browser.ts'
import { logInBrowser } from '#test/kit/console-session.ts'
import { startGateway } from '#test/kit/gateway.ts'
import { PairedPhone } from '#test/kit/paired-phone.ts'
import { HANGS_AFTER_MS } from '#test/kit/patience.ts'

const timeout = HANGS_AFTER_MS
const skip = withoutBrowser
const PASSWORD = 'correct horse battery'
const ADA = '+4915123456789'

test('in Chromium a viewer takes an invitation, looks at all pages and can change nothing', {
  skip,
  timeout,
}, async t => {
  const gateway = await startGateway({ config: { http: { anonymous_calls_per_minute: 6_000 } } })
  t.after(() => gateway.stop())
  const { accountId, token } = await gateway.owner()
  const phone = await PairedPhone.pair(gateway, accountId)
  await phone.connect(gateway.url)
  t.after(() => phone.disconnect())
  await phone.reportReceived({ id: 'a', from: ADA, message: 'Is anybody there?' })
  const post = async (path: string, json: object) => {
    const { json: answer } = await gateway.call('POST', `/api/v1/${path}`, { token, json })
    return (answer?.data ?? {}) as Record<string, unknown>
  }
  const person = String((await post('people', { name: 'Ada', phoneNumber: ADA }))['id'])
  const hook = await post('webhooks', { name: 'NAS', recipients: [ADA] })
  const later = { sendAt: new Date(Date.now() + 86_400_000).toISOString() }
  const text = await post('sms/send', { phoneNumber: ADA, message: 'See you tomorrow', ...later })

  const address = onLan(gateway.url)
  const browser = await openBrowser(t)
  const owners = await browser.newContext({ viewport: { width: 1280, height: 900 } })
  await logInBrowser(owners, gateway, address)
  const owner = await openPage(owners)
  await owner.page.goto(`${address}/#/users`)
  await owner.page.getByRole('heading', { name: 'Invite somebody' }).waitFor()
  await owner.page.getByLabel('E-mail address').fill('looker@example.org')
  await owner.page.getByRole('button', { name: 'Make the invitation link' }).click()
  const link = await owner.page.getByText(/#\/invite\/inv_/).textContent()
  assert.match(link ?? '', /\/#\/invite\/inv_\w+$/)
  await checkAccessibility(owner.page)
  await takePicture(owner.page, 'owner-invites')
  const hash = new URL(link ?? '').hash

  const viewers = await browser.newContext({ viewport: { width: 1280, height: 900 } })
  const { page, faults } = await openPage(viewers)
  await page.goto(`${address}/${hash}`)
  await page.getByRole('heading', { name: 'Welcome to Roost' }).waitFor()
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await checkAccessibility(page)
  await takePicture(page, 'viewer-invited')
  await page.getByRole('button', { name: 'Save and log in' }).click()
  await page.getByRole('heading', { name: /^Can I be reached/ }).waitFor()
  await takePicture(page, 'viewer-home')
  const links = await page.getByRole('navigation').getByRole('link').allTextContents()
  assert.ok(!links.some(word => /Users|Who did what|Notifications/.test(word)), links.join())

  await lookAround(page, address, [
    ...['', ...CONSOLE_LISTS.filter(one => one !== 'notifications'), 'on-call', 'settings'],
    ...[`texts/${text['messageId']}`, `webhooks/${hook['id']}`, `people/${person}`],
    ...[`devices/${phone.deviceId}`, `texts/${encodeURIComponent(ADA)}`],
  ])
  assert.deepEqual(faults, [])

  await owner.page.reload()
  const card = owner.page.getByRole('region', { name: 'looker@example.org' })
  await card.getByRole('button', { name: 'Disable' }).click()
  await takePicture(owner.page, 'owner-disables')
  await card.getByRole('button', { name: 'Disable' }).click()
  await card.getByText('disabled').waitFor()
  await page.getByRole('heading', { name: 'Log in again' }).waitFor()
  await takePicture(page, 'viewer-out')
  await owner.page.goto(`${address}/#/audit`)
  await owner.page.getByText('changed a user').waitFor()
  await checkAccessibility(owner.page)
  await takePicture(owner.page, 'owner-audit')
  assert.deepEqual(owner.faults, [])
})

/** Visits pages as a viewer: none has a button or link that changes something, or is refused anything. */
async function lookAround(page: Page, address: string, pages: readonly string[]): Promise<void> {
  const harmless =
    /^(All|Waiting|Failed|Received)|Log out|Show|Search|Skip|Copy|^$|New|Save account|Save as a table/
  for (const one of pages) {
    await page.goto(`${address}/#/${one}`)
    await page.locator('main h1').first().waitFor()
    await page.getByText('Loading').waitFor({ state: 'hidden' })
    const buttons = await page.locator('main').getByRole('button').allTextContents()
    const changing = buttons.map(word => word.trim()).filter(word => !harmless.test(word))
    assert.deepEqual(changing, [], `#/${one}`)
    assert.equal(
      await page
        .locator('main')
        .getByRole('link', { name: /^(Make|Write|Add|Send) / })
        .count(),
      0,
    )
    await checkAccessibility(page)
    await takePicture(page, `viewer-${one.split('/')[0] || 'start'}${one.includes('/') ? '-one' : ''}`)
  }
  for (const one of ['texts/new', 'devices/pair', 'users', 'audit', 'notifications', 'webhooks/new']) {
    await page.goto(`${address}/#/${one}`)
    await page.getByRole('heading', { name: 'Not for your role' }).waitFor()
  }
}
