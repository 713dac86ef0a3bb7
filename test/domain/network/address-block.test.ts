import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parseAddress } from '#domain/network/address.ts'
import { type AddressBlock, isInAny, parseAddressBlock } from '#domain/network/address-block.ts'

function ruleOf(text: string): AddressBlock {
  const parsed = parseAddressBlock(text)
  assert.ok(parsed.ok, text)
  return parsed.block
}

function cover(rules: readonly string[], address: string): boolean {
  const parsed = parseAddress(address)
  assert.ok(parsed, address)
  return isInAny(rules.map(ruleOf), parsed)
}

const CANONICAL = {
  '10.0.0.1': '10.0.0.1',
  '10.0.0.1/32': '10.0.0.1',
  '10.0.0.0/8': '10.0.0.0/8',
  '10.0.0.0/31': '10.0.0.0/31',
  '0.0.0.0/0': '0.0.0.0/0',
  '255.255.255.255': '255.255.255.255',
  '2001:DB8::/32': '2001:db8::/32',
  '2001:db8:0:0::1/128': '2001:db8::1',
  '::/0': '::/0',
  '::1': '::1',
  '8000::/1': '8000::/1',
  '::ffff:10.0.0.0/104': '10.0.0.0/8',
  '::ffff:a00:0/104': '10.0.0.0/8',
  '::ffff:10.0.0.1/128': '10.0.0.1',
  '::ffff:10.0.0.1': '10.0.0.1',
  '::ffff:0:0/96': '0.0.0.0/0',
  '::ffff:0:0:0/96': '::ffff:0:0:0/96',
  '::fffe:0:0/95': '::fffe:0:0/95',
}

const WRONG = {
  'must be an IPv4 or IPv6 address in full, or a CIDR block such as 10.0.0.0/8': [
    ...[
      '',
      '/',
      '/8',
      '10/8',
      '10.0/16',
      '10.0.0/24',
      '10.*',
      '10.0.0.1-9',

      'example.org',
      'localhost',
    ],
    ...[
      ' 10.0.0.0/8',
      '10.0.0.0 /8',
      '010.0.0.0/8',
      '10.0.0.00/8',
      '0xa.0.0.0/8',
      'fe80::1%eth0',
      'fe80::%1/64',
    ],
    ...['[::1]', '10.0.0.1:80', '1:2:3/48', '::1::/64', '::ffff:010.0.0.1'],
  ],
  'must have a prefix length of 0 to 32': [
    ...[
      '10.0.0.0/',
      '10.0.0.0/08',
      '10.0.0.0/+8',
      '10.0.0.0/-8',
      '10.0.0.0/33',
      '10.0.0.0/128',
      '10.0.0.0/8/8',
    ],
    ...[
      '10.0.0.0/8.0',
      '10.0.0.0/8 ',
      '10.0.0.0/ 8',
      '10.0.0.0/1e1',
      '10.0.0.0/255.0.0.0',
      '10.0.0.0/٨',
      '10.0.0.0/00',
      '0.0.0.0/-0',
    ],
  ],
  'must have a prefix length of 0 to 128': ['::/129', '::/1000', '::/', '::/064', '2001:db8::/x'],
  'must have a prefix length of 96 to 128': [
    '::ffff:10.0.0.0/8',
    '::ffff:0:0/95',
    '::ffff:10.0.0.0/129',
    '::ffff:0:0/',
  ],
  'has bits set after its prefix: write 10.0.0.0/8 or 10.1.2.3': ['10.1.2.3/8', '::ffff:10.1.2.3/104'],
  'has bits set after its prefix: write 10.0.0.0/31 or 10.0.0.1': ['10.0.0.1/31'],
  'has bits set after its prefix: write 0.0.0.0/0 or 128.0.0.0': ['128.0.0.0/0'],
  'has bits set after its prefix: write 2001:db8::/32 or 2001:db8::1': ['2001:db8::1/32'],
}

test('a rule has one canonical form, which parses to the same rule', () => {
  for (const [text, canonical] of Object.entries(CANONICAL)) {
    const parsed = parseAddressBlock(text)
    assert.ok(parsed.ok, text)
    assert.equal(parsed.canonical, canonical, text)
    assert.deepEqual(parseAddressBlock(canonical), parsed)
  }
})

test('an ambiguous rule is refused, with the reason', () => {
  for (const [message, texts] of Object.entries(WRONG)) {
    for (const text of texts)
      assert.deepEqual(parseAddressBlock(text), { ok: false, message }, JSON.stringify(text))
  }
})

const PRIVATE = [
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  'fd00::/8',
  '203.0.113.7',
  '2001:db8:1:2::/64',
]
const VERDICTS: Record<'covered' | 'not covered', readonly string[]> = {
  covered: [
    ...[
      '10.0.0.0',
      '10.0.0.1',
      '10.255.255.255',
      '172.16.0.0',
      '172.31.255.255',
      '192.168.0.0',
      '192.168.255.255',
    ],
    ...['::ffff:10.0.0.1', '::ffff:a00:1', '0:0:0:0:0:ffff:c0a8:0001', '::ffff:203.0.113.7', '203.0.113.7'],
    ...[
      'fd00::',
      'fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
      'fd12:3456::1',
      '2001:db8:1:2::',
      '2001:db8:1:2::1',
    ],
    ...['2001:db8:1:2:ffff:ffff:ffff:ffff', '2001:0DB8:0001:0002::1', '2001:db8:1:2::10.0.0.1'],
  ],
  'not covered': [
    ...[
      '9.255.255.255',
      '11.0.0.0',
      '172.15.255.255',
      '172.32.0.0',
      '192.167.255.255',
      '192.169.0.0',
      '0.0.0.0',
    ],
    ...[
      '203.0.113.6',
      '203.0.113.8',
      '127.0.0.1',
      '255.255.255.255',
      '::ffff:11.0.0.0',
      '::ffff:203.0.113.6',
    ],
    ...[
      '::',
      '::1',
      '::a00:1',
      '::10.0.0.1',
      '64:ff9b::10.0.0.1',
      '::ffff:0:10.0.0.1',
      'a00:1::',
      'fc00::',
      'fe00::',
    ],
    ...[
      'fcff:ffff::1',
      '2001:db8:1:1::1',
      '2001:db8:1:3::',
      '2001:db8:1:1:ffff:ffff:ffff:ffff',
      'fe80::1',
      '2002:a00:1::',
    ],
    ...['ff02::1', '2001:db8::', '3001:db8:1:2::'],
  ],
}

for (const [verdict, addresses] of Object.entries(VERDICTS)) {
  test(`${addresses.length} addresses are ${verdict} by the rules of a private network`, () => {
    for (const address of addresses) assert.equal(cover(PRIVATE, address), verdict === 'covered', address)
  })
}

test('0.0.0.0/0 and ::/0 each cover all addresses of their version only', () => {
  for (const address of ['0.0.0.0', '255.255.255.255', '::ffff:1.2.3.4']) {
    assert.ok(cover(['0.0.0.0/0'], address) && cover(['::ffff:0:0/96'], address), address)
    assert.ok(!cover(['::/0'], address), address)
  }
  for (const address of ['::', '::1', 'ffff::']) {
    assert.ok(cover(['::/0'], address) && !cover(['0.0.0.0/0'], address), address)
  }
})

test('without rules no address is covered', () => {
  assert.equal(cover([], '127.0.0.1'), false)
})

test('rules and addresses agree with whole-number arithmetic', () => {
  const versions = fc.constantFrom({ bits: 32, bytes: 4 }, { bits: 128, bytes: 16 })
  const cases = versions.chain(({ bits, bytes }) =>
    fc.record({
      prefixBits: fc.nat(bits),
      base: fc.uint8Array({ minLength: bytes, maxLength: bytes }),
      // Addresses near the network find more bugs than random ones, so at most one bit is flipped.
      flipped: fc.nat(bits),
    }),
  )
  fc.assert(
    fc.property(cases, ({ prefixBits, base, flipped }) => {
      const bits = BigInt(base.length * 8)
      const value = BigInt(`0x${Buffer.from(base).toString('hex')}`)
      const hostBits = bits - BigInt(prefixBits)
      const network = (value >> hostBits) << hostBits
      const other = BigInt(flipped) === bits ? value : value ^ (1n << BigInt(flipped))
      const rule = ruleOf(`${written(network, base.length)}/${prefixBits}`)
      const address = parseAddress(written(other, base.length))
      assert.ok(address)
      assert.equal(isInAny([rule], address), other >> hostBits === network >> hostBits)
      assert.equal(parseAddressBlock(`${written(value, base.length)}/${prefixBits}`).ok, value === network)
    }),
    { numRuns: 3000 },
  )
})

/** Formats an address without the code under test. IPv6 has all eight groups. */
function written(value: bigint, bytes: number): string {
  const hex = value.toString(16).padStart(bytes * 2, '0')
  if (bytes === 16) return (hex.match(/.{4}/g) ?? []).join(':')
  return (hex.match(/../g) ?? []).map(byte => Number.parseInt(byte, 16)).join('.')
}
