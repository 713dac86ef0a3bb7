/** An owner makes a policy in a browser, and sees and takes what it brings. */
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
import { WebhookCalls } from '#test/kit/webhook-calls.ts'

const timeout = 300_000
const skip = withoutBrowser

test('in Chromium a first policy is one form, and its alert is taken', { skip, timeout }, async t => {
  const gateway = await startGateway()
  t.after(() => gateway.stop())
  const { accountId, token } = await gateway.owner()
  const phone = await PairedPhone.pair(gateway, accountId)
  await phone.connect(gateway.url)
  t.after(() => phone.disconnect())
  const webhooks = new WebhookCalls(gateway, token)
  const { id, url } = await webhooks.create({ name: 'Kuma' })

  const address = onLan(gateway.url)
  const context = await (await openBrowser(t)).newContext({ viewport: { width: 375, height: 800 } })
  await logInBrowser(context, gateway, address)
  const { page, faults } = await openPage(context)
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  await page.goto(`${address}/#/on-call`)
  await page.getByRole('heading', { name: 'Alerts that somebody answers' }).waitFor()
  await checkAccessibility(page)
  await page.getByRole('link', { name: 'Make the first policy' }).click()

  const first = page.getByRole('group', { name: 'First' })
  await first.getByLabel('Name').fill('Ada')
  await first.getByLabel('Phone number').fill('0151')
  await button('Add this person').click()
  await first.getByText('must', { exact: false }).waitFor()
  await first.getByLabel('Phone number').fill('+4915123456789')
  await button('Add this person').click()
  await button('Take out Ada').waitFor()
  await button('If nobody takes it: add a step').click()
  const second = page.getByRole('group', { name: 'Step 2, if nobody has taken it' })
  await second.getByLabel('Who gets a text').selectOption('Somebody new …')
  await second.getByLabel('Name').fill('Bob')
  await second.getByLabel('Phone number').fill('+4915123456788')
  await button('Add this person').click()
  await button('Take out Bob').waitFor()
  await second.getByLabel('Their phones ring, too').check()
  await page.getByRole('group', { name: 'For the alerts of these webhooks' }).getByLabel('Kuma').check()
  await checkAccessibility(page)
  await button('Make policy').click()

  await page.getByText('Nothing waits for anybody.').waitFor()
  assert.notEqual((await webhooks.find(id)).policyId, null)
  await webhooks.trigger(url, { monitor: { name: 'NAS' }, heartbeat: { status: 0, msg: 'timeout' } })
  const card = page.getByRole('article', { name: 'DOWN NAS: timeout' })
  await card.getByText('Waits for somebody').waitFor()
  await card.getByText('Text to Ada').waitFor()
  await checkAccessibility(page)
  assert.equal(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), 0)
  await card.getByRole('button', { name: 'I take it' }).click()
  await card.getByText('You have it', { exact: false }).waitFor()
  await checkAccessibility(page)
  await card.getByRole('button', { name: 'It is over' }).click()
  await card.waitFor({ state: 'detached' })

  await page.goto(`${address}/#/webhooks/${id}`)
  await page.getByLabel('Who must answer').selectOption('Nobody: the texts are only read')
  await button('Save changes').click()
  await page.getByRole('status').getByText('Saved').waitFor()
  assert.equal((await webhooks.find(id)).policyId, null)
  // The browser names the refused number.
  assert.deepEqual(
    faults.filter(one => !/400 .*\/people$/.test(one)),
    [],
  )
})

test('in Chromium a turn of a rota is swapped in two clicks', { skip, timeout }, async t => {
  const gateway = await startGateway()
  t.after(() => gateway.stop())
  const { token } = await gateway.owner()
  const post = async (path: string, json: object) => {
    const answer = await gateway.call('POST', `/api/v1/${path}`, { token, json })
    assert.equal(answer.status, 200, answer.text)
    return String(answer.json?.data['id'])
  }
  const ada = await post('people', { name: 'Ada', phoneNumber: '+4915123456789' })
  await post('people', { name: 'Bob', phoneNumber: '+4915123456788' })

  const address = onLan(gateway.url)
  const context = await (await openBrowser(t)).newContext({ viewport: { width: 1280, height: 900 } })
  await logInBrowser(context, gateway, address)
  const { page, faults } = await openPage(context)
  await page.goto(`${address}/#/rotas/new`)
  await page.getByLabel('Name').fill('Nights')
  await page.getByLabel('Add', { exact: true }).selectOption('Ada')
  await page.getByLabel('Add', { exact: true }).selectOption('Bob')
  await page.getByRole('button', { name: 'Make rota' }).click()
  const turns = page.getByRole('region', { name: 'Next turns' })
  const second = turns.getByRole('listitem').nth(1)
  await second.getByText('Bob').waitFor()
  await second.getByRole('button', { name: 'Swap' }).click()
  await checkAccessibility(page)
  await second.getByLabel('Instead of Bob').selectOption(ada)
  await second.getByText('swapped').waitFor()
  await second.getByRole('button', { name: 'Undo swap' }).click()
  await second.getByText('Bob').waitFor()
  await page.goto(`${address}/#/on-call`)
  await page.getByText('Nothing waits for anybody.').waitFor()
  await page.getByText('Ada', { exact: true }).first().waitFor()
  await checkAccessibility(page)
  assert.deepEqual(faults, [])
})
