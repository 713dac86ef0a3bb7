import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkAccessibility, openBrowser, openPage, withoutBrowser } from '#test/kit/console-browser.ts'
import { logInBrowser } from '#test/kit/console-session.ts'
import { startGateway } from '#test/kit/gateway.ts'
import { HANGS_AFTER_MS } from '#test/kit/patience.ts'

const skip = withoutBrowser
const timeout = HANGS_AFTER_MS

test('in Chromium the first steps lead to alarms and nightly copies, which the settings set', {
  skip,
  timeout,
}, async t => {
  const gateway = await startGateway({ config: { backup: { keep_weeks: 9 } } })
  t.after(() => gateway.stop())
  const { token } = await gateway.owner()
  const configuration = async () =>
    (await gateway.call('GET', '/api/v1/configuration', { token })).json?.data as Record<string, unknown>
  const context = await (await openBrowser(t)).newContext()
  await logInBrowser(context, gateway)
  const { page } = await openPage(context)
  const press = (name: string) => page.getByRole('button', { name }).click()
  const hasFocus = 'document.activeElement === document.querySelector("[aria-invalid=true]")'

  await page.goto(`${gateway.url}/#/`)
  await page.getByRole('link', { name: 'Tell me', exact: true }).click()
  await page.getByLabel('Tell me when this box or its phone is in trouble').check()
  await page.getByLabel('Phone number').fill('0151')
  await press('Add this number')
  await page.getByText(/^Must begin with \+/).waitFor()
  assert.equal(await page.evaluate(hasFocus), true)
  await page.getByLabel('Phone number').fill('+14155550101')
  await press('Add this number')
  await page.getByText('The gateway texts these numbers').waitFor()
  await page.getByText('+1415•••0101').first().waitFor()
  await page.getByLabel('Call a monitor each minute while all is well').check()
  await page.getByLabel('Address of the monitor').fill('http://127.0.0.1:1/ping')
  await press('Save the address')
  await page.getByText('Is a loopback address', { exact: false }).waitFor()
  await page.getByLabel('Address of the monitor').fill('https://hc-ping.example/secret')
  await press('Save the address')
  await page.getByText('A monitor outside is told each minute that all is well.').waitFor()
  await checkAccessibility(page)
  const alarms = { recipients: [{ index: 0, hint: '+1415•••0101' }], heartbeat: true }
  assert.deepEqual((await configuration())['alarms'], alarms)

  await page.goto(`${gateway.url}/#/settings/backup`)
  await page.getByLabel('Make a copy every night').check()
  await page.getByText('A backup is made each night at 03:30.').waitFor()
  await page.getByText('backup.keep_weeks').waitFor()
  assert.equal(await page.getByLabel('Weeks of which a copy is kept').count(), 0)
  await page.getByLabel('Days of which a copy is kept').fill('30')
  await press('Save changes')
  await page.getByText('Saved', { exact: true }).waitFor()
  await checkAccessibility(page)
  const { enabled, keepDays, keepWeeks } = Object((await configuration())['backup'])
  assert.deepEqual([enabled, keepDays, keepWeeks], [true, 30, 9])

  await page.goto(`${gateway.url}/#/settings/alarms`)
  await press('Remove +1415•••0101')
  await page.getByText('Nobody gets a text when something is wrong with the gateway.').waitFor()
  await page.getByLabel('Call a monitor each minute while all is well').uncheck()
  await page.getByText('Nobody outside notices if the gateway stops.').waitFor()
  assert.deepEqual((await configuration())['alarms'], { recipients: [], heartbeat: false })
})
