import assert from 'node:assert/strict'
import { isIP } from 'node:net'
import { test } from 'node:test'
import fc from 'fast-check'
import { addressFromBytes, formatAddress, networkOf, parseAddress } from '#domain/network/address.ts'

const TAKEN: readonly (readonly [text: string, canonical: string])[] = [
  ['0.0.0.0', '0.0.0.0'],
  ['10.0.0.1', '10.0.0.1'],
  ['127.0.0.1', '127.0.0.1'],
  ['192.168.178.255', '192.168.178.255'],
  ['255.255.255.255', '255.255.255.255'],
  ['::', '::'],
  ['::1', '::1'],
  ['fe80::1', 'fe80::1'],
  ['2001:db8::', '2001:db8::'],
  ['2001:DB8::ABCD', '2001:db8::abcd'],
  ['2001:0db8:0000:0000:0000:0000:0000:0001', '2001:db8::1'],
  ['2001:db8:0:0:1:0:0:1', '2001:db8::1:0:0:1'],
  ['1:2:3:4:5:6:7:8', '1:2:3:4:5:6:7:8'],
  ['1:2:3:4:5:6:7::', '1:2:3:4:5:6:7:0'],
  ['::2:3:4:5:6:7:8', '0:2:3:4:5:6:7:8'],
  ['64:ff9b::192.0.2.33', '64:ff9b::c000:221'],
  ['::192.0.2.33', '::c000:221'],
  ['1:2:3:4:5:6:192.0.2.33', '1:2:3:4:5:6:c000:221'],
  // An IPv4-mapped IPv6 address is the IPv4 address.
  ['::ffff:192.0.2.33', '192.0.2.33'],
  ['::FFFF:192.0.2.33', '192.0.2.33'],
  ['::ffff:c000:221', '192.0.2.33'],
  ['0:0:0:0:0:ffff:c000:0221', '192.0.2.33'],
  ['0000:0000:0000:0000:0000:ffff:7f00:0001', '127.0.0.1'],
  ['0000:0000:0000:0000:0000:ffff:255.255.255.255', '255.255.255.255'],
  ['::ffff:0:192.0.2.33', '::ffff:0:c000:221'],
]

const REFUSED = [
  ...[
    '',
    ' ',
    'localhost',
    '*',
    'any',
    '10',
    '10.1',
    '10.0.1',
    '10.0.0.1.1',
    '10.0.0.',
    '.10.0.0.1',
    '10..0.1',
  ],
  ...['256.0.0.1', '10.0.0.256', '10.0.0.1000', '-1.0.0.1', '+10.0.0.1', '1e1.0.0.1', '10.0.0.1:80'],
  ...['010.0.0.1', '10.0.0.01', '00.0.0.0', '0x0a.0.0.1', '167772161', '0xa000001', '012.1'],
  ...[' 10.0.0.1', '10.0.0.1 ', '10.0. 0.1', '10.0.0.1\n', '10.0.0.1\0', '１０.0.0.1', '10。0.0.1'],
  ...[
    ':',
    ':::',
    '1::2::3',
    ':1',
    '1:',
    '1:2:3:4:5:6:7',
    '1:2:3:4:5:6:7:8:9',
    '::1:2:3:4:5:6:7:8',
    '12345::',
  ],
  ...['g::', '::1 ', ' ::1', 'fe80::1%eth0', 'fe80::1%1', '[::1]', '::1%', '1:2:3:4:5:6:7:192.0.2.1'],
  ...[
    '::ffff:192.0.2',
    '::ffff:192.0.2.256',
    '::ffff:192.0.2.01',
    '::ffff:0300.0.2.1',
    '192.0.2.1::',
    '192.0.2.1:1::',
  ],
  ...['::ffff:192.0.2.1:1', '0:0:0:0:0:0:ffff:192.0.2.1', `${'0'.repeat(50)}::`],
]

for (const [text, canonical] of TAKEN) {
  test(`${text} is the address ${canonical}`, () => {
    const address = parseAddress(text)
    assert.ok(address)
    assert.equal(formatAddress(address), canonical)
    assert.deepEqual(parseAddress(canonical), address)
  })
}

test('any text that is not a complete address is refused', () => {
  for (const text of REFUSED) assert.equal(parseAddress(text), null, JSON.stringify(text))
})

test("exactly the addresses that Node's sockets accept are accepted", () => {
  const soup = fc.array(fc.constantFrom('0', '1', '9', 'f', 'ffff', '192.0.2.1', '.', ':', '::', '0:0:0'), {
    minLength: 1,
    maxLength: 14,
  })
  fc.assert(
    fc.property(
      fc.oneof(
        soup.map(parts => parts.join('')),
        fc.ipV4(),
        fc.ipV6(),
      ),
      text => {
        assert.equal(parseAddress(text) !== null, isIP(text) !== 0)
      },
    ),
    { numRuns: 5000 },
  )
})

test('an IPv6 address is written as browsers write it', () => {
  fc.assert(
    fc.property(fc.ipV6(), text => {
      const address = parseAddress(text)
      assert.ok(address)
      if (address.bytes.length === 16) {
        assert.equal(`[${formatAddress(address)}]`, new URL(`http://[${text}]/`).hostname)
      }
    }),
    { numRuns: 1000 },
  )
})

test('4 or 16 raw bytes are an address, and mapped bytes an IPv4 address', () => {
  const mapped = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255, 127, 0, 0, 1]
  assert.deepEqual(addressFromBytes(Uint8Array.from(mapped)), { bytes: [127, 0, 0, 1] })
  assert.deepEqual(addressFromBytes(Uint8Array.of(127, 0, 0, 1)), { bytes: [127, 0, 0, 1] })
  for (const length of [0, 3, 5, 8, 15, 17]) assert.equal(addressFromBytes(new Uint8Array(length)), null)
})

test('the network of an address keeps its first bits and no others', () => {
  const all = { bytes: new Array<number>(16).fill(255) }
  for (let bits = 0; bits <= 128; bits++) {
    const ones = networkOf(all, bits).bytes.map(byte => byte.toString(2).padStart(8, '0'))
    assert.equal(ones.join(''), '1'.repeat(bits).padEnd(128, '0'))
  }
})
