/** An owner works with the keyboard alone. The focus is never lost, also where what had it goes away. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Keyboard, onLan, openBrowser, openPage, withoutBrowser } from '#test/kit/console-browser.ts'
import { logInBrowser } from '#test/kit/console-session.ts'
import { startGateway } from '#test/kit/gateway.ts'
import { PairedPhone } from '#test/kit/paired-phone.ts'
import { HANGS_AFTER_MS } from '#test/kit/patience.ts'
import { WebhookCalls } from '#test/kit/webhook-calls.ts'

test('in Chromium a keyboard alone invites a user, makes a policy and takes its alert', {
  skip: withoutBrowser,
  timeout: HANGS_AFTER_MS,
}, async t => {
  const gateway = await startGateway()
  t.after(() => gateway.stop())
  const { accountId, token } = await gateway.owner()
  await PairedPhone.pair(gateway, accountId)
  const webhooks = new WebhookCalls(gateway, token)
  const { id, url } = await webhooks.create({ name: 'Kuma' })
  const post = (path: string, json: object) => gateway.call('POST', `/api/v1/${path}`, { token, json })
  await post('people', { name: 'Ada', phoneNumber: '+4915123456789' })
  await post('people', { name: 'Bob', phoneNumber: '+4915123456788' })

  const address = onLan(gateway.url)
  const context = await (await openBrowser(t)).newContext({ viewport: { width: 1280, height: 900 } })
  await logInBrowser(context, gateway, address)
  const { page, faults } = await openPage(context)
  const keys = new Keyboard(page)
  /** Waits until something in there has the focus. */
  const focusIn = (selector: string) =>
    page.locator(`${selector}:focus, ${selector} :focus`).first().waitFor({ state: 'attached' })

  await page.goto(`${address}/#/users`)
  await keys.type('E-mail address', 'ada@example.org')
  await keys.choose('Make the invitation link')
  await page.getByText(/#\/invite\/inv_/).waitFor()
  await focusIn('form')

  await page.goto(`${address}/#/policies/new`)
  await keys.type('Name', 'Nights')
  await keys.type('Who gets a text', 'Ada')
  await keys.choose('Add step 2: after 5 min, if nobody takes it')
  await keys.type('Who gets a text', 'Bob')
  await keys.choose('Take out Bob')
  await page.getByRole('button', { name: 'Take out Bob' }).waitFor({ state: 'detached' })
  await focusIn('fieldset')
  await keys.type('Who gets a text', 'Bob')
  await keys.choose('Make policy')
  await page.getByText('Nothing waits for anybody.').waitFor()
  const { json } = await gateway.call('GET', '/api/v1/policies', { token })
  const [policy] = json?.data ?? []
  assert.ok(Array.isArray(policy?.['steps']) && policy['steps'].length === 2)
  await gateway.call('PATCH', `/api/v1/webhooks/${id}`, { token, json: { policyId: policy?.['id'] } })

  // Plain words are the text also where a busy machine does not read the alert in time.
  await fetch(`${gateway.url}${url}`, { method: 'POST', body: 'The backup has failed' })
  const card = page.getByRole('article', { name: 'The backup has failed' })
  await card.waitFor()
  await keys.choose('I take it')
  await card.getByText('An owner has it', { exact: false }).waitFor()
  await focusIn('article')
  await keys.choose('It is over')
  await card.waitFor({ state: 'detached' })
  await focusIn('main')
  assert.deepEqual(faults, [])
})
