/** The demo in the browser: by its link, one person takes the alert that waits. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openBrowser, openPage, withoutBrowser } from '#test/kit/console-browser.ts'
import { HANGS_AFTER_MS } from '#test/kit/patience.ts'
import { roost } from '#test/kit/program.ts'
import { temporaryDirectory } from '#test/kit/temporary-directory.ts'

test('in Chromium the link of a demo leads to an alert, which one person takes', {
  skip: withoutBrowser,
  timeout: HANGS_AFTER_MS,
}, async t => {
  const cwd = temporaryDirectory(t)
  const demo = roost(['demo'], { cwd, env: { TMPDIR: cwd } })
  t.after(() => demo.child.kill('SIGKILL'))
  const link = await demo.stdout.until(/#\/setup\//)
  await demo.stderr.until(/^Text to .*I take it$/)
  const { page, faults } = await openPage(await (await openBrowser(t)).newContext())
  await page.goto(link.trim())
  await page.getByLabel('E-mail address').fill('me@example.org')
  await page.getByLabel('Password', { exact: true }).fill('correct horse battery')
  await page.keyboard.press('Enter')
  await page.getByText('DOWN nas: no answer to ping for 5 minutes').first().waitFor()
  await page.getByRole('button', { name: 'I take it' }).click()
  await page.getByRole('button', { name: 'I take it' }).waitFor({ state: 'detached' })
  await page.getByRole('link', { name: 'On call' }).click()
  await page.getByRole('heading', { name: 'Somebody has every alert.' }).waitFor()
  await page.getByText('An owner took it (240 min)').waitFor()
  assert.deepEqual(faults, [])
  demo.child.kill('SIGTERM')
  assert.equal(await demo.ended, 0)
})
