/** An owner makes a policy in a browser, and sees and takes what it brings. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import {
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
import { WebhookCalls } from '#test/kit/webhook-calls.ts'

const timeout = HANGS_AFTER_MS
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

  await makePolicy(page, phone.deviceId)
  await page.getByText('Nothing waits for anybody.').waitFor()
  const path = `/api/v1/policies/${(await webhooks.find(id)).policyId}`
  const policy = await gateway.call('GET', path, { token })
  assert.equal(policy.json?.data['deviceId'], phone.deviceId)
  assert.match(JSON.stringify(policy.json?.data['steps']), /"ringHours":\{"from":"22:30","to":"07:00"\}/)
  // Plain words are the text also where a busy machine does not read the alert in time.
  await fetch(`${gateway.url}${url}`, { method: 'POST', body: 'The backup has failed' })
  const card = page.getByRole('article', { name: 'The backup has failed' })
  await card.getByText('Waits for somebody').waitFor()
  await card.getByText('Text to Ada').waitFor()
  await card.getByRole('link', { name: /^sent \d\d:\d\d$/ }).waitFor()
  await card.getByText(/^next: Bob, in .*, text only: no phone that can call is online$/).waitFor()
  const menu = page.getByRole('navigation')
  await menu.getByRole('link', { name: 'On call One alert waits.' }).waitFor()
  // The phone has handed in no text yet, so nobody can answer.
  assert.equal(await card.getByText('Who got the text can answer').count(), 0)
  await phone.reportReceived({ id: 'first', from: '+4915123456700', message: 'Hello' })
  await page.reload()
  await card.getByText('Who got the text can answer').waitFor()
  await checkAccessibility(page)
  await takePicture(page, 'alert-waits')
  assert.equal(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), 0)
  await card.getByRole('button', { name: 'I take it' }).click()
  await card.getByText('An owner has it', { exact: false }).waitFor()
  await menu.getByRole('link', { name: 'On call', exact: true }).waitFor()
  await checkAccessibility(page)
  await card.getByRole('button', { name: 'It is over' }).click()
  await card.waitFor({ state: 'detached' })
  await page.getByRole('region', { name: 'Earlier' }).getByText('The backup has failed').click()
  await page.getByText('An owner took it', { exact: false }).waitFor()
  await checkAccessibility(page)
  await takePicture(page, 'alert-is-over')
  await rehearse(page, async () => {
    const path = '/api/v1/incidents'
    const [one] = (await gateway.call('GET', `${path}?limit=1`, { token })).json?.data ?? []
    while ((await gateway.call('POST', `${path}/${one?.['id']}/next`, { token })).status === 200);
  })

  await page.goto(`${address}/#/webhooks/${id}`)
  await page.getByLabel('Who must answer').selectOption('Nobody: the texts are only read')
  await button('Save changes').click()
  await page.getByRole('status').getByText('Saved').waitFor()
  assert.equal((await webhooks.find(id)).policyId, null)
  // The browser names the refused calls.
  assert.deepEqual(
    faults.filter(one => !/400 .*\/(people|policies)$/.test(one)),
    [],
  )
})

/** Fills in the form: Ada first, then Bob, who is rung, by this phone, for the webhook Kuma. */
async function makePolicy(page: Page, deviceId: string): Promise<void> {
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const first = page.getByRole('group', { name: '1. At once' })
  await button('Make policy').click()
  await first.getByText('Choose who gets a text', { exact: false }).waitFor()
  await takePicture(page, 'policy-refused')
  await first.getByLabel('Name').fill('Ada')
  await first.getByLabel('Phone number').fill('0151')
  await button('Add this person').click()
  await first.getByText('must', { exact: false }).waitFor()
  await first.getByLabel('Phone number').fill('+4915123456789')
  await button('Add this person').click()
  await button('Take out Ada').waitFor()
  await button('Add step 2: after 5 min, if nobody takes it').click()
  const second = page.getByRole('group', { name: '2. If nobody has taken it' })
  await second.getByLabel('Who gets a text').selectOption('Somebody new')
  await second.getByLabel('Name').fill('Bob')
  await second.getByLabel('Phone number').fill('+4915123456788')
  await button('Add this person').click()
  await button('Take out Bob').waitFor()
  await second.getByLabel('Their phones ring, too').check()
  await second.getByLabel('When they ring').selectOption('Only from … to …')
  await second.getByLabel('From').fill('22:30')
  await page.getByText('Bob after 5 min, and phones ring from 22:30 to 07:00', { exact: false }).waitFor()
  await takePicture(page, 'policy-rings')
  await page.getByText('More: rounds, phones', { exact: false }).click()
  await page.getByLabel('Phone', { exact: true }).selectOption(deviceId)
  await page.getByRole('group', { name: 'For the alerts of these webhooks' }).getByLabel('Kuma').check()
  await checkAccessibility(page)
  await button('Make policy').click()
}

/** A rehearsal asks first, and offers nobody when nobody is left. `walkOn`: walks its steps to the end. */
async function rehearse(page: Page, walkOn: () => Promise<void>): Promise<void> {
  const ask = page.getByRole('button', { name: 'Rehearse', exact: true })
  await ask.click()
  const question = page.getByRole('region', { name: 'Rehearse' })
  await question.getByText('This sends real texts to Ada, Bob', { exact: false }).waitFor()
  await takePicture(page, 'rehearsal-asks')
  await question.getByRole('button', { name: 'Not now' }).click()
  await question.waitFor({ state: 'detached' })
  await ask.click()
  await question.getByRole('button', { name: 'Rehearse' }).click()
  const card = page.getByRole('article', { name: 'Alerts: rehearsal' })
  await card.waitFor()
  await walkOn()
  // A rehearsal ends by itself after its last step.
  await card.waitFor({ state: 'detached' })
  await page.getByRole('region', { name: 'Earlier' }).getByText('rehearsal').first().waitFor()
}

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
  // Without alerts the plans stand beside the duty, and the people right below it.
  const distances = await page.evaluate(`
    const [duty, plans, folk] = ['.on-duty', '.plans', '.folk']
      .map(part => document.querySelector(part).getBoundingClientRect());
    [plans.top - duty.top, folk.top - duty.bottom].map(Math.round)`)
  assert.deepEqual(distances, [0, 0])
  assert.deepEqual(faults, [])
})

test('in Chromium a text goes to a name, and a webhook has the address of the network', {
  skip,
  timeout,
}, async t => {
  const publicUrl = 'http://192.168.7.1:8080'
  const gateway = await startGateway({ config: { public_url: publicUrl } })
  t.after(() => gateway.stop())
  const { token } = await gateway.owner()
  const addPerson = (name: string, phoneNumber: string) =>
    gateway.call('POST', '/api/v1/people', { token, json: { name, phoneNumber } })
  await addPerson('Ada Lovelace', '+4915123456701')
  await addPerson('Bob', '+4915123456702')
  await addPerson('bob', '+4915123456703')
  // The browser opens it at 127.0.0.1, which other machines do not reach.
  const context = await (await openBrowser(t)).newContext()
  await logInBrowser(context, gateway)
  const { page } = await openPage(context)
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
  const to = page.getByLabel('To', { exact: true })
  const hasFocus = 'document.activeElement === document.querySelector("[aria-invalid=true]")'

  await page.goto(`${gateway.url}/#/texts/new`)
  await page.getByLabel('Text', { exact: true }).fill('Dinner is ready')
  await page.getByText('the text waits').waitFor()
  await to.fill('Grace')
  await press('Send text')
  await page.getByText('No person is called that.').waitFor()
  assert.equal(await page.evaluate(hasFocus), true, 'the field to mend has the focus')
  await to.fill('bob')
  await press('Send text')
  await page.getByText('Several people are called that.').waitFor()
  await to.fill('ada lovelace')
  await press('Send text')
  await page.getByRole('heading', { name: 'To Ada Lovelace' }).waitFor()

  await page.goto(`${gateway.url}/#/people/new`)
  await page.getByLabel('Name', { exact: true }).fill('ADA  Lovelace')
  await page.getByText('Another person has this name: +4915123456701.').waitFor()

  await page.goto(`${gateway.url}/#/groups/new`)
  await page.getByLabel('Name', { exact: true }).fill('Team')
  await page.locator('form [type=submit]').click()
  await page.locator('.issue').waitFor()
  const choice = 'document.activeElement === document.querySelector("fieldset:has(.issue) select")'
  assert.equal(await page.evaluate(choice), true, 'so has a choice to mend')

  await page.goto(`${gateway.url}/#/webhooks/new`)
  await page.getByLabel('Name', { exact: true }).fill('NAS')
  await page.getByLabel('Who gets the texts').fill('+4915123456701')
  await press('Make webhook')
  await page.getByText(`${publicUrl}/api/v1/webhook/`).first().waitFor()
  await page.getByText('which other machines do not reach', { exact: false }).waitFor()
  await checkAccessibility(page)
})
