/** Texts that a person sends in a real browser while answers get lost, and pages whose session has ended. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page, Route } from 'playwright-core'
import { OWNER_EMAIL } from '#domain/account/first-start.ts'
import { onLan, openBrowser, openPage, untilTitle, withoutBrowser } from '#test/kit/console-browser.ts'
import { logInBrowser } from '#test/kit/console-session.ts'
import { startGateway } from '#test/kit/gateway.ts'
import type { Cleaner } from '#test/kit/gateway-process.ts'
import { startPathProxy } from '#test/kit/path-proxy.ts'
import { quickPasswordHash } from '#test/kit/quick-password.ts'

const UNKNOWN = 'It is not known whether the gateway took it. Press again: it will not be sent twice.'
const NUMBER = '+14155550123'
const PASSWORD = 'correct horse battery'

/** A gateway behind a proxy that loses the answers to POST of the path `lost`. */
async function start(t: Cleaner, options: { readonly host?: string; readonly publicUrl?: string } = {}) {
  const http = { anonymous_calls_per_minute: 60_000 }
  const gateway = await startGateway({ config: { http, public_url: options.publicUrl ?? '' } })
  t.after(() => gateway.stop())
  const network = { lost: '', posts: [] as string[] }
  const losesAnswer = (method: string, url: string) => {
    if (method === 'POST') network.posts.push(url)
    return method === 'POST' && network.lost !== '' && url.endsWith(network.lost)
  }
  const proxy = await startPathProxy(t, gateway.url, '', { losesAnswer, ...options })
  const address = onLan(proxy)
  const context = await (await openBrowser(t)).newContext()
  await logInBrowser(context, gateway, address)
  const { page } = await openPage(context)
  const { liveKey: key } = await gateway.owner()
  const texts = async () => {
    const { json } = await gateway.call('GET', '/api/v1/sms', { key })
    return (json?.data ?? []).map(one => one['message'])
  }
  return { gateway, network, page, address, texts }
}

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true }).waitFor()

describe('in Chromium', { skip: withoutBrowser }, () => {
  test('a text and a reply whose answers get lost are sent once, however often they are posted', async t => {
    const { network, page, address, texts } = await start(t)
    await page.goto(`${address}/#/texts/new`)
    await page.getByLabel('To', { exact: true }).fill(NUMBER)
    await page.getByLabel('Text', { exact: true }).fill('Dinner is ready')
    await page.getByText('the text waits').waitFor()
    network.lost = '/sms/send'
    await press(page, 'Send text')
    await page.getByText(UNKNOWN).waitFor()
    await press(page, 'Send text')
    await page.getByText(UNKNOWN).waitFor()
    network.lost = ''
    await press(page, 'Send text')
    await heading(page, `To ${NUMBER}`)
    assert.deepEqual(await texts(), ['Dinner is ready'])
    assert.ok(network.posts.filter(one => one.endsWith('/sms/send')).length >= 3, `${network.posts}`)

    await page.goto(`${address}/#/texts/${encodeURIComponent(NUMBER)}`)
    await page.getByLabel('Reply').fill('In a minute')
    network.lost = '/sms/send'
    await press(page, 'Send reply')
    await page.getByText(UNKNOWN).waitFor()
    network.lost = ''
    await press(page, 'Send reply')
    await page.locator('.talk').getByText('In a minute').waitFor()
    // The news may show the text before the answer to the press arrives, which empties the field.
    await page.waitForFunction("document.querySelector('textarea').value === ''")
    assert.deepEqual(await texts(), ['In a minute', 'Dinner is ready'])
    // The same words once more are a new text, because a person typed them again.
    await page.getByLabel('Reply').fill('In a minute')
    await press(page, 'Send reply')
    await page.locator('.talk').getByText('In a minute').nth(1).waitFor()
    assert.equal((await texts()).length, 3)
  })

  test('a changed text after a lost answer is another text', async t => {
    const { network, page, address, texts } = await start(t)
    await page.goto(`${address}/#/texts/new`)
    await page.getByLabel('To', { exact: true }).fill(NUMBER)
    await page.getByLabel('Text', { exact: true }).fill('At seven')
    await page.getByText('the text waits').waitFor()
    network.lost = '/sms/send'
    await press(page, 'Send text')
    await page.getByText(UNKNOWN).waitFor()
    network.lost = ''
    await page.getByLabel('Text', { exact: true }).fill('At eight')
    await press(page, 'Send text')
    await heading(page, `To ${NUMBER}`)
    assert.deepEqual(await texts(), ['At eight', 'At seven'])
  })

  test('a session that ended elsewhere shows the login, and never words of the API', async t => {
    const { gateway, page, address, texts } = await start(t)
    const passwordHash = await quickPasswordHash(PASSWORD)
    await page.goto(`${address}/#/texts/new`)
    await page.getByLabel('To', { exact: true }).fill(NUMBER)
    await page.getByLabel('Text', { exact: true }).fill('Typed before')
    await page.getByText('the text waits').waitFor()
    await gateway.ask('account.set-password', { email: OWNER_EMAIL, passwordHash })
    // The login may cover the button already, because the live socket tells of the end, too.
    await page.getByRole('button', { name: 'Send text', exact: true }).dispatchEvent('click')
    await heading(page, 'Log in again')
    assert.equal(await page.getByText(/Bearer|token|API/).count(), 0)
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await press(page, 'Log in')
    await page.getByText('You were logged out, so this was not done. Press again.').waitFor()
    assert.equal(await page.getByText(/Bearer|token|API/).count(), 0)
    await press(page, 'Send text')
    await heading(page, `To ${NUMBER}`)
    assert.deepEqual(await texts(), ['Typed before'])
  })

  test('a late refusal of an ended session does not log the next one out', async t => {
    const { gateway, page, address } = await start(t)
    const { promise: isIn, resolve: answer } = Promise.withResolvers<void>()
    const error = { code: 'UNAUTHORIZED', message: 'the session has ended' }
    const body = JSON.stringify({ success: false, error })
    await page.route(
      '**/api/v1/people',
      async route => {
        await isIn
        await route.fulfill({ status: 401, contentType: 'application/json', body })
      },
      { times: 1 },
    )
    await page.goto(`${address}/#/groups/new`)
    await heading(page, 'Group of people')
    await gateway.ask('account.set-password', {
      email: OWNER_EMAIL,
      passwordHash: await quickPasswordHash(PASSWORD),
    })
    await heading(page, 'Log in again')
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await press(page, 'Log in')
    await page.locator('.over').waitFor({ state: 'detached' })
    const late = page.waitForResponse(/people$/)
    answer()
    await (await late).finished()
    await page.getByLabel('Name', { exact: true }).waitFor()
    assert.equal(await page.locator('.over').count(), 0)
  })

  test('a log-out waits for no call of the page, which makes no more and shows no error', async t => {
    const { gateway, page, address } = await start(t)
    const { liveKey: key } = await gateway.owner()
    const send = (message: string) => {
      const json = { phoneNumber: NUMBER, message, queueIfOffline: true }
      return gateway.call('POST', '/api/v1/sms/send', { key, json })
    }
    const opened = page.waitForEvent('websocket')
    await page.clock.install()
    await page.goto(`${address}/#/texts`)
    await page.getByText('No texts yet').waitFor()
    const held = Promise.withResolvers<Route>()
    await page.route('**/api/v1/texts?*', route => held.resolve(route), { times: 1 })
    const calls: string[] = []
    page.on('request', request => calls.push(`${request.method()} ${new URL(request.url()).pathname}`))
    await send('first')
    const reading = await held.promise
    // The page wants to fetch for the second text two seconds after the first.
    const heard = (await opened).waitForEvent('framereceived')
    await send('second')
    await heard
    const ending = Promise.withResolvers<() => void>()
    await page.route('**/api/v1/session', route => ending.resolve(() => void route.continue()), { times: 1 })
    await press(page, 'Log out')
    const end = await ending.promise
    assert.equal(reading.request().failure()?.errorText, 'net::ERR_ABORTED')
    await page.clock.fastForward(5_000)
    await page.evaluate('new Promise(requestAnimationFrame)')
    end()
    await heading(page, 'Log in to Roost')
    assert.deepEqual(calls.slice(calls.indexOf('DELETE /api/v1/session') + 1), [])
  })

  test('a page at an address that the gateway does not know names public_url, and no proxy', async t => {
    const { page, address } = await start(t, { host: 'inner.test', publicUrl: 'https://sms.example.org' })
    await page.goto(`${address}/#/texts`)
    const { host } = new URL(address)
    await page.getByText(`the gateway does not know that ${host} is its address. Set public_url`).waitFor()
    await page.getByText(`to ${address}/`).waitFor()
    assert.equal(await page.getByText('blocks WebSockets').count(), 0)
    await page.goto(`${address}/#/devices/pair`)
    await page.getByText('turn battery optimisation off').waitFor()
    await page.getByRole('button', { name: 'A phone somewhere else' }).click()
    await page.getByText('https://sms.example.org/smsgate/v1').waitFor()
    await page.getByText('choose SSE Only').waitFor()
  })

  test('the address of a new webhook stays until it was copied, or the owner says so', async t => {
    const { page, address } = await start(t)
    const shown = page.getByText(/\/api\/v1\/webhook\/\w+/).first()
    const make = async (name: string) => {
      await page.goto(`${address}/#/webhooks/new`)
      await page.getByLabel('Name', { exact: true }).fill(name)
      await page.getByLabel('Who gets the texts').fill(NUMBER)
      await press(page, 'Make webhook')
      await heading(page, `The webhook “${name}” is ready`)
      return page.locator('pre').first().innerText()
    }
    const url = await make('Backup')
    await untilTitle(page, 'The webhook “Backup” is ready – Roost')
    await page.reload()
    await heading(page, 'The webhook “Backup” is ready')
    assert.equal(await page.locator('pre').first().innerText(), url)
    await press(page, 'Copy the address')
    await page.getByText('Copied').waitFor()
    assert.ok(await shown.isVisible(), 'the page still shows it after the copy')
    await page.reload()
    await heading(page, 'Backup')
    assert.equal(await shown.count(), 0)

    await press(page, 'Make a new address')
    await page.getByRole('button', { name: 'Make a new address' }).last().click()
    await heading(page, 'Backup has a new address')
    await page.reload()
    await heading(page, 'Backup has a new address')
    await page.getByRole('link', { name: 'Texts', exact: true }).first().click()
    await heading(page, 'Texts')
    await page.goBack()
    await heading(page, 'Backup has a new address')
    await make('Second')
    await press(page, 'I have the address: show the webhook')
    await heading(page, 'Second')
    await page.reload()
    await heading(page, 'Second')
    assert.equal(await shown.count(), 0)
  })
})
