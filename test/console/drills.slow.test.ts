/** From two phones to "proven, both ways", as a new owner goes: from Home, with the mouse. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { BrowserContext, Page } from 'playwright-core'
import {
  checkAccessibility,
  openBrowser,
  openPage,
  takePicture,
  withoutBrowser,
} from '#test/kit/console-browser.ts'
import { logInBrowser } from '#test/kit/console-session.ts'
import { startGateway, type TestGateway } from '#test/kit/gateway.ts'
import { PairedPhone } from '#test/kit/paired-phone.ts'

const NUMBERS = ['+14155550171', '+14155550172']

describe('a new owner', { skip: withoutBrowser }, () => {
  const ends: (() => unknown)[] = []
  const cleaner = { after: (end: () => unknown) => void ends.unshift(end) }
  let gateway: TestGateway
  let context: BrowserContext
  let page: Page
  let faults: string[]
  let deviceId = ''

  before(async () => {
    gateway = await startGateway()
    cleaner.after(() => gateway.stop())
    const { accountId } = await gateway.owner()
    const phones = await Promise.all(NUMBERS.map(() => PairedPhone.pair(gateway, accountId)))
    deviceId = phones[0]?.deviceId ?? ''
    for (const [place, phone] of phones.entries()) {
      const phoneNumber = NUMBERS[place]
      const sims = [{ slot: 1, carrier: 'Test', countryCode: 'US', phoneNumber }]
      await phone.connect(gateway.url, { receives: true, sims })
      cleaner.after(() => phone.disconnect())
      const other = phones[1 - place]
      void (async () => {
        for (let count = 1; ; count++) {
          const message = (await phone.whenSent(count))[count - 1]?.message ?? ''
          await other?.reportReceived({ id: `${place} ${count}`, from: phoneNumber ?? null, message })
        }
      })()
    }
    const browser = await openBrowser(cleaner)
    context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
    await logInBrowser(context, gateway)
    const watched = await openPage(context)
    page = watched.page
    faults = watched.faults
    await page.goto(`${gateway.url}/#/`)
  })
  after(async () => {
    for (const end of ends) await end()
  })

  test('comes from two phones to proven, both ways, with four clicks', async t => {
    const began = performance.now()
    let clicks = 0
    const click = async (role: 'link' | 'button', name: string | RegExp) => {
      clicks += 1
      await page.getByRole(role, { name }).click()
    }
    await click('link', 'Prove it')
    for (const isLast of [false, true]) {
      await click('button', 'Prove it now')
      await page
        .getByText(/^\s*Proven$/)
        .first()
        .waitFor()
      if (!isLast) {
        await page.getByText('Next: let').waitFor()
        clicks += 1
        await page.getByText('Next: let').getByRole('link').click()
        await page.getByText('Receives', { exact: true }).waitFor()
        await page.getByRole('button', { name: 'Prove it now' }).waitFor()
      }
    }
    const seconds = (performance.now() - began) / 1000
    t.diagnostic(`${clicks} clicks, ${seconds.toFixed(1)} s`)
    assert.equal(clicks, 4)
    await page.goto(`${gateway.url}/#/`)
    await page.getByText(/Proven (this morning|today): 2 phones, both ways/).waitFor()
    assert.equal(await page.getByRole('link', { name: 'Prove it' }).count(), 0)
    await takePicture(page, 'drills-home')
    assert.deepEqual(faults, [])
  })

  test('plans a drill each month at ten, and reads what that costs and is good for', async () => {
    await page.goto(`${gateway.url}/#/devices/${deviceId}`)
    await page.getByLabel('Prove it by itself').selectOption('month')
    assert.equal(await page.getByLabel('At', { exact: true }).inputValue(), '10:00')
    await page.getByText('It costs 1 text a month.').waitFor()
    await page.getByText('keeps many a prepaid SIM alive').waitFor()
    await page.getByRole('button', { name: 'Save the plan' }).click()
    await page.getByText('Saved').waitFor()
    await checkAccessibility(page)
    await takePicture(page, 'drills-phone')
    assert.deepEqual(faults, [])
  })
})
