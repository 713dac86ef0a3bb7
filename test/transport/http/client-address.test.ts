import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parseAddress } from '#domain/network/address.ts'
import { parseAddressBlock } from '#domain/network/address-block.ts'
import {
  clientOfSocket,
  FORWARDED_HOPS_MAX,
  type ProxyRules,
  readClientAddress,
} from '#transport/http/client-address.ts'

const PROXIES = ['10.0.0.0/8', '2001:db8:ffff::/48'].map(text => {
  const parsed = parseAddressBlock(text)
  assert.ok(parsed.ok)
  return parsed.block
})

/** The address as a dual-stack socket reports it: always sixteen bytes. */
function remoteOf(text: string): ArrayBuffer {
  const bytes = parseAddress(text)?.bytes ?? []
  const mapped = bytes.length === 4 ? [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255, ...bytes] : bytes
  return Uint8Array.from(mapped).buffer
}

function clientOf(remote: string, value: string, rules: Partial<ProxyRules> = {}): string {
  const headers = { 'x-forwarded-for': value, forwarded: value }
  const all = { trustedProxies: PROXIES, forwarded: 'x-forwarded-for', ...rules } as const
  return readClientAddress({ remote: remoteOf(remote), headers }, all).text
}

const CASES: readonly (readonly [what: string, remote: string, forwardedFor: string, client: string])[] = [
  ['without the header the caller is the peer of the socket', '203.0.113.9', '', '203.0.113.9'],
  ['the header of an untrusted peer is ignored', '203.0.113.9', '198.51.100.1', '203.0.113.9'],
  ['the header of a trusted proxy is used', '10.0.0.1', '198.51.100.1', '198.51.100.1'],
  ['a trusted proxy without a header is itself the caller', '10.0.0.1', '', '10.0.0.1'],
  ['the right-most untrusted address wins', '10.0.0.1', '1.1.1.1, 198.51.100.1', '198.51.100.1'],
  ['trusted proxies in the chain are skipped', '10.0.0.1', '1.1.1.1, 198.51.100.1, 10.9.9.9', '198.51.100.1'],
  ['entries left of an untrusted address are ignored', '10.0.0.1', '10.0.0.7, 198.51.100.1', '198.51.100.1'],
  ['when all are trusted the first one is the caller', '10.0.0.1', '10.0.0.3, 10.0.0.2', '10.0.0.3'],
  ['a malformed entry ends the walk', '10.0.0.1', '198.51.100.1, unknown, 10.0.0.2', '10.0.0.2'],
  ['a malformed last entry leaves the proxy', '10.0.0.1', '198.51.100.1, unknown', '10.0.0.1'],
  ['an empty entry is malformed', '10.0.0.1', '198.51.100.1,', '10.0.0.1'],
  ['an empty entry at the front is malformed', '10.0.0.1', ',10.0.0.2', '10.0.0.2'],
  ['nothing but a comma is malformed', '10.0.0.1', ',', '10.0.0.1'],
  ['an entry may have a port', '10.0.0.1', '1.1.1.1, 198.51.100.1:4711, 10.0.0.2:80', '198.51.100.1'],
  ['an entry may have brackets', '10.0.0.1', '[2001:db8::1]', '2001:db8::1'],
  ['an entry may have brackets and a port', '10.0.0.1', '[2001:db8::1]:443', '2001:db8::1'],
  ['an entry may have quotes', '10.0.0.1', '"[2001:db8::1]:443"', '2001:db8::1'],
  ['an entry with half a bracket is malformed', '10.0.0.1', '[2001:db8::1', '10.0.0.1'],
  ['an entry that is a name is malformed', '10.0.0.1', 'evil.example:80', '10.0.0.1'],
  ['an entry with leading zeros is malformed', '10.0.0.1', '198.051.100.1', '10.0.0.1'],
  ['blanks and tabs around entries do not count', '10.0.0.1', ' 1.1.1.1 ,\t198.51.100.1 ', '198.51.100.1'],
  ['IPv6 goes the same way', '2001:db8:ffff::1', '2001:db8::1, 2001:db8:ffff:1::2', '2001:db8::1'],
  ['a mapped entry is an IPv4 address', '10.0.0.1', '::ffff:198.51.100.1', '198.51.100.1'],
  ['a mapped entry of a proxy is trusted', '10.0.0.1', '1.1.1.1, ::ffff:10.0.0.2', '1.1.1.1'],
  ['IPv4 and IPv6 entries may be mixed', '10.0.0.1', '2001:db8::9, 2001:db8:ffff::1', '2001:db8::9'],
]

for (const [what, remote, forwardedFor, client] of CASES) {
  test(what, () => assert.equal(clientOf(remote, forwardedFor), client))
}

test('without trusted proxies the header is ignored', () => {
  assert.equal(clientOf('10.0.0.1', '198.51.100.1', { trustedProxies: [] }), '10.0.0.1')
})

test('only a bounded part of a long chain is read', () => {
  const chain = `198.51.100.1, 10.5.5.5${', 10.0.0.2'.repeat(FORWARDED_HOPS_MAX)}`
  assert.equal(clientOf('10.0.0.1', chain), '10.0.0.2')
  const shorter = `198.51.100.1${', 10.0.0.2'.repeat(FORWARDED_HOPS_MAX - 1)}`
  assert.equal(clientOf('10.0.0.1', shorter), '198.51.100.1')
})

test('an IPv4 caller is limited by its address, an IPv6 caller by its /64', () => {
  const keyOf = (remote: string) => clientOfSocket(remoteOf(remote)).bucketKey
  assert.equal(keyOf('203.0.113.9'), '203.0.113.9')
  assert.equal(keyOf('2001:db8:1:2:3:4:5:6'), '2001:db8:1:2::/64')
  assert.equal(keyOf('2001:db8:1:2:ffff::'), '2001:db8:1:2::/64')
  assert.notEqual(keyOf('2001:db8:1:3::'), '2001:db8:1:2::/64')
})

test('four raw bytes are an IPv4 address, and a closed socket has none', () => {
  const fourBytes = clientOfSocket(Uint8Array.of(192, 0, 2, 1).buffer)
  assert.equal(fourBytes.text, '192.0.2.1')
  const headers = { 'x-forwarded-for': '10.0.0.1' }
  const rules = { trustedProxies: PROXIES, forwarded: 'x-forwarded-for' } as const
  const gone = readClientAddress({ remote: new ArrayBuffer(0), headers }, rules)
  assert.deepEqual([gone.text, gone.bucketKey], ['::', '::/64'])
})

test('whatever a caller writes into the header, it cannot hide behind a trusted proxy', () => {
  const entry = fc.oneof(
    fc.ipV4(),
    fc.ipV6(),
    fc.string(),
    fc.constantFrom('10.0.0.1', '', ' ', ',', '::ffff:10.1.1.1'),
  )
  fc.assert(
    fc.property(fc.array(entry, { maxLength: 10 }), written => {
      // The proxy appends the caller's real address after everything that the caller wrote.
      assert.equal(clientOf('10.0.0.1', [...written, '198.51.100.77'].join(',')), '198.51.100.77')
    }),
  )
})

/** Elements of `Forwarded`, as proxies write them, and whose call it is. */
const FORWARDED: readonly (readonly [value: string, client: string])[] = [
  ['for=198.51.100.1', '198.51.100.1'],
  ['For="198.51.100.1:51234";proto=https', '198.51.100.1'],
  ['for="[2001:db8::1]"', '2001:db8::1'],
  ['for="[2001:db8::1]:443";by=10.0.0.1', '2001:db8::1'],
  ['for=[2001:db8::1]:443', '2001:db8::1'],
  ['proto=https ; host=roost.lan; for=198.51.100.1', '198.51.100.1'],
  ['for=1.1.1.1, for=198.51.100.1;host="a.example", for=10.0.0.2', '198.51.100.1'],
  ['for=198.51.100.1, for=unknown', '10.0.0.1'],
  ['for=198.51.100.1, for=_hidden', '10.0.0.1'],
  ['for=198.51.100.1, for="_hidden:_port"', '10.0.0.1'],
  // What a caller puts into quotes, or leaves open, says nothing.
  ['for=198.51.100.1;host="evil, for=6.6.6.6"', '198.51.100.1'],
  ['for=198.51.100.1;host="evil\\", for=6.6.6.6"', '198.51.100.1'],
  ['for="6.6.6.6, for=198.51.100.1;host="x, for=7.7.7.7"', '198.51.100.1'],
  ['for="6.6.6.6, for=198.51.100.1', '198.51.100.1'],
  ['for=6.6.6.6;host="x", garbage, for=198.51.100.1', '198.51.100.1'],
]
for (const [value, client] of FORWARDED)
  test(`Forwarded: ${value} is a call of ${client}`, () => {
    assert.equal(clientOf('10.0.0.1', value, { forwarded: 'forwarded' }), client)
  })

test('only the header that is named is read', () => {
  const headers = { 'x-forwarded-for': '6.6.6.6', forwarded: 'for=198.51.100.1' }
  const read = (forwarded: ProxyRules['forwarded']) =>
    readClientAddress({ remote: remoteOf('10.0.0.1'), headers }, { trustedProxies: PROXIES, forwarded }).text
  assert.deepEqual([read('x-forwarded-for'), read('forwarded')], ['6.6.6.6', '198.51.100.1'])
})

test('a header that cannot be read is reported if a trusted proxy wrote it, and only then', () => {
  const told: string[] = []
  const unreadable = (text: string) => told.push(text)
  for (const value of ['evil.example', '198.51.100.1, unix:', 'unknown', '198.51.100.1', 'x, 198.51.100.1'])
    clientOf('10.0.0.1', value, { unreadable })
  clientOf('203.0.113.9', 'evil.example', { unreadable })
  clientOf('10.0.0.1', 'by=10.0.0.1', { unreadable, forwarded: 'forwarded' })
  assert.deepEqual(told, ['evil.example', 'unix:', 'by=10.0.0.1'])
})

test('whatever a caller writes into Forwarded, it cannot hide behind a trusted proxy', () => {
  const piece = fc.constantFrom('"', '\\', ',', ';', 'for=', '10.0.0.1', '6.6.6.6', ' ', 'host="', 'x')
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 20 }), written => {
      const value = `${written.join('')}, for=198.51.100.77;proto=http`
      assert.equal(clientOf('10.0.0.1', value, { forwarded: 'forwarded' }), '198.51.100.77')
    }),
  )
})
