/** An owner makes a forward of each kind in a browser, tries it, changes it, pauses it and removes it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { KNOWN } from '#test/kit/chat-services.ts'
import {
  checkAccessibility,
  onLan,
  openBrowser,
  openPage,
  takePicture,
  withoutBrowser,
} from '#test/kit/console-browser.ts'
import { logInBrowser } from '#test/kit/console-session.ts'
import { ForwardingGateway } from '#test/kit/forwarding-gateway.ts'
import { HANGS_AFTER_MS } from '#test/kit/patience.ts'

const timeout = HANGS_AFTER_MS
const skip = withoutBrowser

interface Example {
  readonly kind: string
  /** What to type, by the labels of the fields. */
  readonly fields: Readonly<Record<string, string>>
}

function examples(at: (path: string) => string): readonly Example[] {
  return [
    {
      kind: 'ntfy',
      fields: {
        'Address of the topic': at('/ntfy/alerts'),
        'Access token, if the topic needs one': KNOWN.ntfy,
      },
    },
    {
      kind: 'gotify',
      fields: { 'Address of the server': at('/gotify'), 'Token of the application': KNOWN.gotify },
    },
    {
      kind: 'telegram',
      fields: {
        'Address of the Bot API, if it is not Telegram’s own': at('/telegram'),
        'Chat: its number, or @ and its name': KNOWN.chat,
        'Token of the bot': KNOWN.telegram,
      },
    },
    {
      kind: 'matrix',
      fields: {
        'Address of the server': at('/matrix'),
        'Room, like !abc:example.org': KNOWN.room,
        'Access token of the sender': KNOWN.matrix,
      },
    },
    { kind: 'slack', fields: { 'Address of the incoming webhook': at('/slack/services/T0/B0/x') } },
    { kind: 'discord', fields: { 'Address of the webhook': at('/discord/api/webhooks/1/x') } },
    { kind: 'email', fields: { 'Mail address': 'ada@example.net' } },
    { kind: 'sms', fields: {} },
  ]
}

test('in Chromium each kind of forward is made, tried, changed, paused and removed', {
  skip,
  timeout,
}, async t => {
  const rig = new ForwardingGateway()
  await rig.start()
  t.after(() => rig.stop())
  const { gateway, services, phone } = rig
  const address = onLan(gateway.url)
  const context = await (await openBrowser(t)).newContext({ viewport: { width: 375, height: 800 } })
  await logInBrowser(context, gateway, address)
  const { page, faults } = await openPage(context)
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  await page.goto(`${address}/#/forwards/new`)
  await page.getByLabel('Where to').selectOption('sms')
  await page.getByLabel('Name', { exact: true }).fill('To nobody')
  await button('Make forward').click()
  await page.getByRole('alert').filter({ hasText: 'needed' }).waitFor()
  await rig.call('POST', '/people', { name: 'Ada', phoneNumber: '+14155550201' })

  for (const one of examples(path => rig.at(path))) await makeAndTry(page, `${address}/#/forwards`, one)
  assert.deepEqual(services.shown.map(({ service }) => service).toSorted(), [
    'discord',
    'gotify',
    'matrix',
    'ntfy',
    'slack',
    'telegram',
  ])
  assert.equal(rig.mails.length, 1)
  await phone.whenSent(1)

  await page.goto(`${address}/#/forwards`)
  await page.getByRole('link', { name: 'Bank by sms' }).waitFor()
  await checkAccessibility(page)
  await takePicture(page, 'forwards')
  await page.goto(`${address}/#/notifications`)
  await page.getByText('forward Bank by matrix').waitFor()
  await takePicture(page, 'forward-deliveries')
  for (const { kind } of examples(String)) await pauseAndRemove(page, `${address}/#/forwards`, kind)
  await page.getByText('No text is passed on').waitFor()
  const { json } = await rig.call('GET', '/forwards')
  assert.deepEqual(json?.data, [])
  // The browser names the refused call.
  assert.deepEqual(
    faults.filter(one => !/400 .*\/forwards$/.test(one)),
    [],
  )
})

async function makeAndTry(page: Page, list: string, { kind, fields }: Example): Promise<void> {
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  await page.goto(list)
  await page.getByRole('link', { name: 'Make a forward' }).click()
  await page.getByLabel('Where to').selectOption(kind)
  await page.getByLabel('Name', { exact: true }).fill(`Bank by ${kind}`)
  for (const [label, value] of Object.entries(fields))
    await page.getByLabel(label, { exact: true }).fill(value)
  if (kind === 'sms') await page.getByLabel('Person').selectOption('Ada')
  await takePicture(page, `forward-${kind}`)
  await button('Make forward').click()
  await page.getByRole('heading', { name: `Bank by ${kind}` }).waitFor()
  await button('Pass a sample text on').click()
  await page.getByRole('listitem').getByText('Posted', { exact: false }).first().waitFor()
  await checkAccessibility(page)
  await takePicture(page, `forward-${kind}-tried`)
}

async function pauseAndRemove(page: Page, list: string, kind: string): Promise<void> {
  const name = `Bank by ${kind}`
  const open = () => page.getByRole('link', { name }).click()
  const button = (word: string) => page.getByRole('button', { name: word, exact: true })
  await page.goto(list)
  await open()
  await page.getByLabel('Only with the words').fill('balance')
  await page.getByLabel('Switched on').uncheck()
  await button('Save changes').click()
  await page.getByRole('link', { name }).getByText('off').waitFor()
  await open()
  await page.getByText('It is switched off.').waitFor()
  assert.equal(await page.getByLabel('Only with the words').inputValue(), 'balance')
  await button('Remove forward').click()
  await takePicture(page, `forward-${kind}-removed`)
  await button('Remove forward').click()
  await page.getByRole('heading', { name: 'Forwards', exact: true }).waitFor()
  await page.getByRole('link', { name }).waitFor({ state: 'detached' })
}
