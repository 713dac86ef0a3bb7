import assert from 'node:assert/strict'
import type { lookup } from 'node:dns/promises'
import { test } from 'node:test'
import { type Announcement, readAnnouncement } from '#app/discovery/find-gateway.ts'

const resolveName = (async (name: string) => {
  if (name !== 'nas.lan') throw new Error('unknown')
  return [{ address: '192.168.1.5', family: 4 }]
}) as unknown as typeof lookup

/** The URL to which the pairing code would go; null: to nobody. */
async function urlOf(sender: string, url: string, tls = '0'): Promise<string | null> {
  const referer = { address: sender } as NonNullable<Announcement['referer']>
  const found = await readAnnouncement({ name: 'n', port: 8080, txt: { tls, url }, referer }, resolveName)
  return found?.url ?? null
}

test('the code goes to the sender of the answer, whatever address the answer names', async () => {
  for (const [url, expected] of [
    ['', 'http://192.168.1.5:8080'],
    ['http://192.168.1.5:9000/sms/', 'http://192.168.1.5:9000/sms'],
    ['https://nas.lan:8443', 'https://nas.lan:8443'],
    ['https://evil.example', 'http://192.168.1.5:8080'],
    ['http://192.168.1.66:8080', 'http://192.168.1.5:8080'],
    ['http://192.168.1.5@evil.example', 'http://192.168.1.5:8080'],
    ['http://%', 'http://192.168.1.5:8080'],
  ] as const)
    assert.equal(await urlOf('192.168.1.5', url), expected, url)
  assert.equal(await urlOf('192.168.1.5', '', '1'), 'https://192.168.1.5:8080')
})

test('an answer from outside the private networks counts for nothing', async () => {
  for (const sender of ['8.8.8.8', '127.0.0.1', '224.0.0.251', ''])
    assert.equal(await urlOf(sender, `http://${sender}:8080`), null, sender)
})

test('the name of a gateway cannot control the terminal', async () => {
  const referer = { address: '10.0.0.1' } as NonNullable<Announcement['referer']>
  const found = await readAnnouncement({ name: '\u001b[2J\nnas', port: 80, txt: {}, referer }, resolveName)
  assert.equal(found?.name, '\\u{1b}[2J\\nnas')
})
