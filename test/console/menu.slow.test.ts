/** The menu at each width, where the focus is drawn, and the parts of the settings. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import {
  checkAccessibility,
  onLan,
  openBrowser,
  openPage,
  takePicture,
  withoutBrowser,
} from '#test/kit/console-browser.ts'
import { logInBrowser } from '#test/kit/console-session.ts'
import { startGateway, type TestGateway } from '#test/kit/gateway.ts'

const BACKUP = { dir: '/nowhere/backups', second_dir: '/nowhere/else', at: '04:15' }
/** Whether what has the focus is drawn with a ring. */
const HAS_RING = `getComputedStyle(document.activeElement).outlineStyle !== 'none'`
const FOCUSED = 'document.activeElement.tagName'

describe('in Chromium the menu', { skip: withoutBrowser }, () => {
  let gateway: TestGateway
  let browser: Browser
  let address: string
  before(async () => {
    gateway = await startGateway({ config: { backup: BACKUP, alarms: { recipients: ['+14155550123'] } } })
    browser = await openBrowser({ after: () => {} })
    address = onLan(gateway.url)
  })
  after(async () => {
    await browser.close()
    await gateway.stop()
  })

  async function open(width: number): Promise<{ readonly page: Page; readonly faults: string[] }> {
    const context = await browser.newContext({ viewport: { width, height: 800 } })
    await logInBrowser(context, gateway, address)
    return openPage(context)
  }

  test('is a rail of icons beside a narrow page, whose words show one by one', async () => {
    const { page, faults } = await open(768)
    await page.goto(`${address}/#/webhooks`)
    const menu = page.getByRole('navigation', { name: 'Pages' })
    await menu.waitFor()
    assert.ok(((await menu.boundingBox())?.width ?? 999) < 90)
    const word = menu.getByText('Notifications')
    const isShown = () => word.evaluate(element => getComputedStyle(element).clipPath === 'none')
    assert.equal(await isShown(), false)
    await menu.getByRole('link', { name: 'Notifications' }).focus()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Shift+Tab')
    assert.equal(await isShown(), true)
    assert.equal(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), 0)
    await takePicture(page, 'menu-768')
    await checkAccessibility(page)
    assert.deepEqual(faults, [])
  })

  test('has one way to log out, at each width', async () => {
    for (const width of [375, 768, 1280]) {
      const { page } = await open(width)
      const pages = width < 768 ? ['more'] : ['', 'settings/account', 'more']
      for (const one of pages) {
        await page.goto(`${address}/#/${one}`)
        await page.locator('h1').first().waitFor()
        const ways = page.getByRole('button', { name: 'Log out', exact: true })
        assert.equal(await ways.count(), 1, `${one} at ${width}`)
      }
    }
  })

  test('moves the focus for a screen reader, and no ring is drawn around the page', async () => {
    const { page } = await open(1280)
    await page.goto(`${address}/#/`)
    await page.getByRole('link', { name: 'Texts', exact: true }).click()
    await page.getByRole('heading', { name: 'Texts', exact: true }).waitFor()
    assert.deepEqual([await page.evaluate(FOCUSED), await page.evaluate(HAS_RING)], ['MAIN', false])
    await page.keyboard.press('/')
    await page.keyboard.type('nothing has these words')
    await page.keyboard.press('Enter')
    // What has the focus goes away, and what is around it gets it.
    const clear = page.getByRole('main').getByRole('link', { name: 'Show all texts' })
    await clear.focus()
    await clear.press('Enter')
    await clear.waitFor({ state: 'detached' })
    const isInside = `document.activeElement.closest('main') !== null`
    while (!(await page.evaluate(isInside))) await page.evaluate('new Promise(requestAnimationFrame)')
    const isControl = await page.evaluate(`document.activeElement.tabIndex >= 0`)
    assert.equal(await page.evaluate(HAS_RING), isControl)
    await page.keyboard.press('Tab')
    assert.equal(await page.evaluate(HAS_RING), true, 'a control that Tab reaches has a ring')
  })

  test('leads to the settings, whose parts say which key of the configuration decides', async () => {
    const { page, faults } = await open(1280)
    await page.goto(`${address}/#/settings`)
    await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor()
    const parts = page.getByRole('navigation', { name: 'Parts of the settings' })
    await parts.getByText('/nowhere/backups').waitFor()
    await parts.getByText('To 1 number').waitFor()
    await checkAccessibility(page)
    await parts.getByRole('link', { name: 'Users' }).click()
    await page.getByRole('heading', { name: 'Users', level: 1 }).waitFor()
    await parts.getByRole('link', { name: 'Backup' }).click()
    const backup = page.getByRole('region', { name: 'Backup' })
    await backup.getByText('A backup is made each night at 04:15.').waitFor()
    assert.match((await backup.textContent()) ?? '', /\/nowhere\/elsebackup\.second_dir/)
    const handbook = backup.getByRole('link', { name: 'In the handbook' })
    assert.equal(await handbook.getAttribute('href'), 'handbook/backup')
    await checkAccessibility(page)
    await takePicture(page, 'settings-backup')
    await parts.getByRole('link', { name: 'Alarms' }).click()
    await page.getByText('+1415•••0123').waitFor()
    await parts.getByRole('link', { name: 'Address and version' }).click()
    await page.getByText(new Intl.DateTimeFormat().resolvedOptions().timeZone).waitFor()

    await page.setViewportSize({ width: 375, height: 800 })
    await page.getByRole('link', { name: 'Settings' }).first().click()
    await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor()
    await parts.getByRole('link', { name: 'Who did what' }).click()
    await page.getByRole('heading', { name: 'Who did what', level: 1 }).waitFor()
    await checkAccessibility(page)
    assert.deepEqual(faults, [])
  })
})
