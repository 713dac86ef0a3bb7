/** An owner adds a modem in a browser. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import {
  checkAccessibility,
  onLan,
  openBrowser,
  openPage,
  withoutBrowser,
} from '#test/kit/console-browser.ts'
import { logInBrowser } from '#test/kit/console-session.ts'
import { startGateway } from '#test/kit/gateway.ts'
import { ModemWorld, modemManagerMissing } from '#test/kit/modem/modem-world.ts'
import { HANGS_AFTER_MS } from '#test/kit/patience.ts'
import { temporaryDirectory } from '#test/kit/temporary-directory.ts'

const timeout = HANGS_AFTER_MS
const skip = withoutBrowser || modemManagerMissing()

test('in Chromium a modem is looked for, unlocked and added', { skip, timeout }, async t => {
  const world = await ModemWorld.start(t, temporaryDirectory(t), modem =>
    Object.assign(modem, { pin: '1234' }),
  )
  await world.killManager()
  process.env['DBUS_SYSTEM_BUS_ADDRESS'] = world.address
  t.after(() => Reflect.deleteProperty(process.env, 'DBUS_SYSTEM_BUS_ADDRESS'))
  const gateway = await startGateway()
  t.after(() => gateway.stop())
  const address = onLan(gateway.url)
  const context = await (await openBrowser(t)).newContext({ viewport: { width: 375, height: 800 } })
  await logInBrowser(context, gateway, address)
  const { page, faults } = await openPage(context)
  const button = (name: string) => page.getByRole('button', { name, exact: true })

  await page.goto(`${address}/#/devices/pair`)
  await page.getByRole('button', { name: 'A USB modem or HAT' }).click()
  await page.getByRole('heading', { name: 'No modem is seen' }).waitFor()
  await checkAccessibility(page)
  await picture(page, 'modem-none')

  await world.startManager()
  await button('Look again').click()
  await page.getByRole('heading', { name: 'Roost Pretend P1' }).waitFor()
  await page.getByText('its SIM waits for the PIN').waitFor()
  await checkAccessibility(page)
  await picture(page, 'modem-locked')
  assert.deepEqual(faults, [])
  await page.getByLabel('PIN of the SIM').fill('9999')
  await button('Add this modem').click()
  await page.getByText('did not accept the PIN', { exact: false }).waitFor()
  await picture(page, 'modem-wrong-pin')
  await page.getByLabel('PIN of the SIM').fill('1234')
  await page.getByLabel('Name (optional)').fill('Attic')
  await button('Add this modem').click()
  await page.getByRole('heading', { name: 'Attic is connected' }).waitFor()
  await picture(page, 'modem-added')

  await page.getByRole('link', { name: 'Show the phone' }).click()
  await page.getByText('The PIN of its SIM has changed').click()
  await page.getByLabel('PIN of the SIM').fill('4321')
  await button('Save and try the modem').click()
  await page.getByText('Saved', { exact: true }).waitFor()
  await checkAccessibility(page)
  await picture(page, 'modem-phone')
})

/** With `PICTURES`, a folder, each step leaves a picture to look at, on a phone and on a wide screen. */
async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env['PICTURES']
  if (folder === undefined) return
  await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true })
  await page.setViewportSize({ width: 1280, height: 900 })
  await page.screenshot({ path: `${folder}/${name}-wide.png` })
  await page.setViewportSize({ width: 375, height: 800 })
}
