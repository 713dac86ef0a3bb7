import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { startGateway, type TestGateway } from '#test/kit/gateway.ts'

/** A phone on a slow network opens the console, too. */
const SCRIPT_GZIP_BYTES_MAX = 60_000
const STYLE_GZIP_BYTES_MAX = 8_500

describe('the console', () => {
  let gateway: TestGateway
  before(async () => {
    gateway = await startGateway()
  })
  after(() => gateway.stop())

  const fetchPlain = (path: string) => fetch(`${gateway.url}/${path}`, { headers: { 'Accept-Encoding': '' } })
  const linksOf = (html: string) =>
    [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, link]) => link ?? '')

  test('is one page with relative links and a strict content security policy', async () => {
    const page = await fetchPlain('')
    assert.equal(page.status, 200)
    assert.match(page.headers.get('content-type') ?? '', /^text\/html/)
    const policy = page.headers.get('content-security-policy') ?? ''
    for (const rule of ["default-src 'none'", "script-src 'self'", "require-trusted-types-for 'script'"])
      assert.ok(policy.includes(rule), policy)
    assert.equal(page.headers.get('x-content-type-options'), 'nosniff')
    const links = linksOf(await page.text())
    assert.equal(links.length, 7)
    for (const link of links) assert.match(link, /^console\/[\w-]+-\w{8,10}\.(js|css|svg|png|webmanifest)$/)
  })

  test('can be put on the home screen of a phone, with icons from this gateway', async () => {
    const links = linksOf(await (await fetchPlain('')).text())
    const manifest = await fetchPlain(links.find(link => link.endsWith('.webmanifest')) ?? '')
    assert.match(manifest.headers.get('content-type') ?? '', /^application\/manifest\+json/)
    const { start_url, icons } = (await manifest.json()) as {
      readonly start_url: string
      readonly icons: readonly { readonly src: string }[]
    }
    assert.equal(new URL(start_url, manifest.url).href, `${gateway.url}/`)
    assert.equal(icons.length, 2)
    for (const { src } of icons) {
      const icon = await fetch(new URL(src, manifest.url))
      assert.equal(icon.headers.get('content-type'), 'image/png')
      assert.deepEqual([...new Uint8Array(await icon.arrayBuffer())].slice(1, 4), [0x50, 0x4e, 0x47])
    }
  })

  test('serves files that browsers may cache, compressed on request, within their size budget', async () => {
    const links = linksOf(await (await fetchPlain('')).text())
    let scriptBytes = 0
    for (const link of links) {
      const plain = await fetchPlain(link)
      assert.match(plain.headers.get('cache-control') ?? '', /immutable/)
      const zipped = await fetch(`${gateway.url}/${link}`, { headers: { 'Accept-Encoding': 'gzip' } })
      assert.equal(zipped.headers.get('content-encoding'), 'gzip')
      assert.equal(zipped.headers.get('vary'), 'Accept-Encoding')
      const length = Number(zipped.headers.get('content-length'))
      if (link.endsWith('.js')) scriptBytes += length
      if (link.endsWith('.css')) assert.ok(length <= STYLE_GZIP_BYTES_MAX, `${length}`)
      assert.equal(await zipped.text(), await plain.text())
    }
    assert.ok(scriptBytes <= SCRIPT_GZIP_BYTES_MAX, `${scriptBytes}`)
    assert.equal((await fetchPlain('console/main-0000000000.js')).status, 404)
  })

  test('has a handbook under the same policy, whose pages load only from this gateway', async () => {
    for (const path of ['handbook', 'handbook/backup']) {
      const page = await fetchPlain(path)
      assert.equal(page.status, 200)
      assert.match(
        page.headers.get('content-security-policy') ?? '',
        /^default-src 'none'; script-src 'self'; /,
      )
      const loaded = [...(await page.text()).matchAll(/(?:src|data-index|<link [^>]*href)="([^"]+)"/g)]
      assert.equal(loaded.length, 4)
      for (const [, link = ''] of loaded) {
        const file = await fetch(new URL(link, `${gateway.url}/${path}`))
        assert.deepEqual([file.status, new URL(file.url).origin], [200, gateway.url], link)
      }
    }
    assert.equal((await fetchPlain('handbook/no-such-section')).status, 404)
  })

  test('has an API page with a policy of its own, which loads only from this gateway', async () => {
    const page = await fetchPlain('api/v1/docs')
    assert.equal(page.status, 200)
    assert.match(page.headers.get('content-type') ?? '', /^text\/html/)
    const policy = page.headers.get('content-security-policy') ?? ''
    for (const rule of ["default-src 'none'", "script-src 'self'", "connect-src 'self'"])
      assert.ok(policy.includes(rule), policy)
    const html = await page.text()
    assert.doesNotMatch(html, /https?:|\/\//)
    for (const link of linksOf(html)) {
      const { status } = await fetch(new URL(link, `${gateway.url}/api/v1/docs`))
      assert.equal(status, 200, link)
    }
  })
})
