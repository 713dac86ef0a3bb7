import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { PairedPhone } from '#test/kit/paired-phone.ts'
import { sharedGateway } from '#test/kit/shared-gateway.ts'

test('the pairing page shows the steps, and says if its code is used or wrong', async () => {
  const gateway = await sharedGateway()
  const { accountId } = await gateway.newAccount()
  const { code } = await gateway.ask('device.create-pairing', { accountId, name: null })
  const page = (given: string) => pageAt(gateway.url, { given, from: '198.18.1.1' })
  const open = await page(code)
  // The words of commands are in elements of their own, so that lines break only between them.
  const html = (await open.text()).replaceAll(/<\/?span>/g, '')
  assert.equal(open.status, 200)
  assert.match(open.headers.get('content-type') ?? '', /^text\/html/)
  for (const step of [
    'https://f-droid.org/packages/com.termux.api/',
    'pkg install -y termux-api nodejs',
    `--code ${code} --driver termux`,
    "execCommand('copy')",
    'Battery, Unrestricted',
  ])
    assert.ok(html.includes(step), step)
  // The line of GUIDE.md is run by a test.
  const [, send = ''] = /^(roost send .*)$/m.exec(readFileSync('GUIDE.md', 'utf8')) ?? []
  assert.ok(html.includes(`<pre id="send">${send.replaceAll("'", '&#39;')}</pre>`), html)
  const policy = open.headers.get('content-security-policy') ?? ''
  assert.match(policy, /^default-src 'none'; style-src 'sha256-\S+'; script-src 'sha256-\S+';/)
  await PairedPhone.pairWith(gateway.url, code)
  for (const given of [code, 'abc', '']) {
    const refused = await page(given)
    assert.equal(refused.status, 401)
    assert.match(await refused.text(), /This code does not work.*roost device pair/s)
  }
})

test('a wrong code on the pairing page counts as a failed try', async () => {
  const { url } = await sharedGateway()
  const statuses: number[] = []
  for (let given = 10_000_000; given < 10_000_006; given++)
    statuses.push((await pageAt(url, { given: String(given), from: '198.18.1.2' })).status)
  assert.deepEqual(statuses, [401, 401, 401, 401, 401, 429])
})

/** The page for a code. Its wrong codes are counted for an address of its own. */
function pageAt(url: string, { given, from }: { given: string; from: string }): Promise<Response> {
  return fetch(`${url}/device/v1/pair?code=${given}`, { headers: { 'X-Forwarded-For': from } })
}
