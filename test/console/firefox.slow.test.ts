/** The console in Debian's Firefox: every page, accessible, by keyboard, and with news that arrive. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import axe from 'axe-core'
import { pagesIn, startInState } from '#test/kit/console-states.ts'
import { FirefoxPage, KEYS, withoutFirefox } from '#test/kit/firefox.ts'
import { openSession } from '#test/kit/open-session.ts'
import { HANGS_AFTER_MS } from '#test/kit/patience.ts'

const TABS_MAX = 60

test('in Firefox every page is accessible, and a text is written by keyboard and followed live', {
  skip: withoutFirefox,
  timeout: HANGS_AFTER_MS,
}, async t => {
  const gateway = await startInState(t, 'full')
  const { accountId, liveKey } = await gateway.owner()
  const page = await FirefoxPage.open(t)
  const { headers } = await openSession(gateway, { accountId })
  const [name = '', value = ''] = headers.Cookie.split('=')
  await page.resize(1280, 800)
  await page.goto(`${gateway.url}/`)
  await page.setCookie(name, value, new URL(gateway.url).hostname)
  await page.evaluate(`localStorage.setItem('roost half /', '${headers['X-Roost-Console']}')`)
  for (const hash of pagesIn('full')) {
    await page.goto('about:blank')
    await page.goto(`${gateway.url}/#/${hash}`)
    await page.until("document.querySelector('main h1') !== null")
    await page.evaluate(`(() => { ${axe.source} })()`)
    const found = await page.evaluate(
      `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) =>
        violations.map(({ id, nodes }) => id + ' ' + nodes.map(({ html }) => html.slice(0, 120)).join(' ')))`,
    )
    assert.deepEqual(found, [], hash)
    assert.equal(
      await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth'),
      0,
      hash,
    )
  }

  const tabTo = async (what: string) => {
    for (let presses = 0; presses < TABS_MAX; presses++) {
      if (await page.evaluate(`document.activeElement.matches('${what}:focus-visible')`)) return
      await page.press(KEYS.tab)
    }
    assert.fail(`${what} is not reached by Tab`)
  }
  await page.goto(`${gateway.url}/#/texts/new`)
  // The page focuses it once it is drawn, which could come between a look and a key.
  await page.until("document.activeElement.matches('input[type=tel]')")
  await tabTo('input[type=tel]')
  await page.press(...'+14155550123')
  await tabTo('textarea')
  await page.press(...'Written in Firefox')
  await tabTo('button[type=submit]')
  await page.press(KEYS.enter)
  await page.until("location.hash.startsWith('#/texts/msg_')")
  await page.until("document.querySelector('.bubble')?.textContent === 'Written in Firefox'")
  await page.evaluate("location.hash = '#/texts'")
  const isListed = (text: string) => `document.querySelector('.texts')?.textContent.includes('${text}')`
  await page.until(isListed('Written in Firefox'))
  const json = { phoneNumber: '+14155550123', message: 'It arrives by itself', queueIfOffline: true }
  await gateway.call('POST', '/api/v1/sms/send', { key: liveKey, json })
  await page.until(isListed('It arrives by itself'))
  assert.deepEqual(page.faults, [])
})
