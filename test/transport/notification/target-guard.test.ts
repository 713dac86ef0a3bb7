import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parseAddress } from '#domain/network/address.ts'
import { reachOf } from '#domain/network/address-reach.ts'
import { HOSTILE_URLS } from '#test/kit/hostile-urls.ts'
import {
  checkTargetUrl,
  createTargetPolicy,
  refusalOfAddress,
  type TargetPolicySettings,
} from '#transport/notification/target-guard.ts'

const SETTINGS: TargetPolicySettings = {
  allowedHosts: [],
  allowPrivate: true,
  ownSockets: [{ address: '0.0.0.0', port: 8080 }],
  localAddresses: () => ['127.0.0.1', '192.168.1.10', 'fd12::10', '203.0.114.5'],
}

function verdict(url: string, settings: Partial<TargetPolicySettings> = {}): string {
  const checked = checkTargetUrl(url, createTargetPolicy({ ...SETTINGS, ...settings }))
  return checked.ok ? 'ok' : checked.reason
}

for (const [template, reason] of HOSTILE_URLS) {
  const url = template.replace('{port}', '9000')
  test(`${JSON.stringify(url)} is refused: ${reason}`, () => {
    assert.equal(verdict(url), reason)
  })
}

test('public and LAN addresses are allowed targets', () => {
  const fine = [
    'https://example.com/hook?x=1',
    'http://example.com.:8081/',
    'https://münchen.example/',
    'http://8.8.8.8/',
    'http://[2606:4700::1111]/',
    'http://[64:ff9b::8.8.8.8]/',
    'http://[64:ff9b:1::808:808]/',
    'http://[2002:808:808::1]/',
    'http://nas/',
    'http://nas.lan:9000/',
    'http://10.0.0.1/',
    'http://172.16.0.1/',
    'http://172.31.255.255/',
    'http://192.168.1.20:8123/api/webhook/x',
    'http://100.64.0.1/',
    'http://[fd12::1]/',
    'http://[::ffff:192.168.1.20]/',
    'http://mylocalhost.example/',
    'http://localhost.example/',
  ]
  for (const url of fine) assert.equal(verdict(url), 'ok', url)
})

test('private ranges are refused if the configuration says so, also inside IPv6 addresses', () => {
  const lan = ['10.0.0.1', '172.16.0.1', '192.168.1.20', '100.64.0.1', '[fd12::1]', '[::ffff:10.0.0.1]']
  for (const host of [...lan, '[64:ff9b::10.0.0.1]', '[2002:a00:1::1]']) {
    assert.equal(verdict(`http://${host}/`, { allowPrivate: false }), 'private', host)
  }
  assert.equal(verdict('http://8.8.8.8/', { allowPrivate: false }), 'ok')
  assert.equal(verdict('http://172.32.0.1/', { allowPrivate: false }), 'ok')
})

test('the port that the gateway listens on is refused on every address of this machine', () => {
  assert.equal(verdict('http://192.168.1.10:8080/'), 'own-socket')
  assert.equal(verdict('http://[::ffff:192.168.1.10]:8080/'), 'own-socket')
  assert.equal(verdict('http://[fd12:0::10]:8080/'), 'own-socket')
  assert.equal(verdict('http://203.0.114.5:8080/'), 'own-socket')
  assert.equal(verdict('http://192.168.1.10:8081/'), 'ok')
  assert.equal(verdict('http://192.168.1.11:8080/'), 'ok')
})

test('a neighbour is never a target, whatever is allowed', () => {
  const neighbours = [
    { hostname: '10.0.0.1', port: 2379 },
    { hostname: 'broker.lan', port: 1883 },
    { hostname: '[fd12::77]', port: 443 },
    { hostname: '0.0.0.0', port: 2525 },
    { hostname: 'localhost', port: 4001 },
  ]
  const allowedHosts = ['10.0.0.0/8', 'broker.lan', '127.0.0.0/8', 'localhost', '::1', '192.168.1.10']
  for (const url of [
    'http://10.0.0.1:2379/v3/kv/deleterange',
    'http://[::ffff:10.0.0.1]:2379/',
    'http://[64:ff9b::10.0.0.1]:2379/',
    'http://167772161:2379/',
    'http://BROKER.lan.:1883/',
    'https://[fd12:0::77]/',
    'http://127.0.0.1:2525/',
    'http://192.168.1.10:2525/',
    'http://[::1]:4001/',
    'http://ip6-localhost:4001/',
  ])
    assert.equal(verdict(url, { neighbours, allowedHosts, allowLoopback: true }), 'neighbour', url)
  for (const url of ['http://10.0.0.1:2381/', 'http://10.0.0.2:2379/', 'http://192.168.1.11:2525/'])
    assert.equal(verdict(url, { neighbours, allowedHosts }), 'ok', url)
})

test('a socket on the default port of the scheme is recognised without a port in the URL', () => {
  const ownSockets = [{ address: '192.168.1.10', port: 443 }]
  assert.equal(verdict('https://192.168.1.10/', { ownSockets }), 'own-socket')
  assert.equal(verdict('http://192.168.1.10/', { ownSockets }), 'ok')
})

test('a listed name, address, range or port is an allowed target', () => {
  const table: readonly (readonly [entry: string, url: string, expected: string])[] = [
    ['127.0.0.1', 'http://127.0.0.1:9000/', 'ok'],
    ['127.0.0.1', 'http://[::ffff:127.0.0.1]:9000/', 'ok'],
    ['127.0.0.1', 'http://127.0.0.2:9000/', 'loopback'],
    ['127.0.0.1', 'http://localhost:9000/', 'local-name'],
    ['127.0.0.1:9000', 'http://127.0.0.1:9000/', 'ok'],
    ['127.0.0.1:9000', 'http://127.0.0.1:9001/', 'loopback'],
    ['127.0.0.1:80', 'http://127.0.0.1/', 'ok'],
    ['127.0.0.0/8', 'http://127.9.9.9/', 'ok'],
    ['::1', 'http://[::1]:9000/', 'ok'],
    ['[::1]:9000', 'http://[::1]:9000/', 'ok'],
    ['[::1]:9000', 'http://[::1]:9001/', 'loopback'],
    ['[::1]', 'http://127.0.0.1/', 'loopback'],
    ['fe80::/10', 'http://[fe80::1]/', 'ok'],
    ['localhost', 'http://LOCALHOST.:9000/', 'ok'],
    ['localhost', 'http://hook.localhost/', 'local-name'],
    ['localhost:9000', 'http://localhost/', 'local-name'],
    ['LocalHost.:9000', 'http://localhost:9000/', 'ok'],
    ['*.localhost', 'http://hook.localhost/', 'ok'],
    ['*.localhost', 'http://localhost/', 'local-name'],
    ['*.localhost:9000', 'http://a.b.localhost:9000/', 'ok'],
    ['192.168.1.10:8080', 'http://192.168.1.10:8080/', 'ok'],
    ['0.0.0.0/0', 'http://169.254.169.254/', 'ok'],
  ]
  for (const [entry, url, expected] of table) {
    assert.equal(verdict(url, { allowedHosts: [entry] }), expected, `${entry} · ${url}`)
  }
})

test('an entry that is not a host, address or range is named when the policy is made', () => {
  const wrong = [
    '',
    '*',
    'a b',
    '10.0.0.0/33',
    'nas/24',
    'http://nas/',
    'nas:0',
    'nas:70000',
    'a@b',
    '*.*.lan',
    '::1::',
    '0x7f.1',
    'nas?',
    '10.1.2.3/8',
    '2001:db8::1/32',
    '[::1]:99999',
    'fe80::1%eth0',
  ]
  for (const entry of wrong) {
    assert.throws(
      () => createTargetPolicy({ ...SETTINGS, allowedHosts: ['nas', entry] }),
      (error: Error) => error.message.startsWith(`${JSON.stringify(entry)} `),
      entry,
    )
  }
})

test('a block with bits set after its prefix is refused, with both ways to write it', () => {
  assert.throws(() => createTargetPolicy({ ...SETTINGS, allowedHosts: ['10.1.2.3/8'] }), {
    message: '"10.1.2.3/8" has bits set after its prefix: write 10.0.0.0/8 or 10.1.2.3',
  })
})

test('a listed name covers the addresses it resolves to, on its port only', () => {
  const policy = createTargetPolicy({ ...SETTINGS, allowedHosts: ['hook.lan:9000'] })
  const loopback = parseAddress('127.0.0.1')
  assert.ok(loopback !== null)
  assert.equal(refusalOfAddress(loopback, { hostname: 'Hook.lan.', port: 9000 }, policy), null)
  assert.equal(refusalOfAddress(loopback, { hostname: 'hook.lan', port: 9001 }, policy), 'loopback')
  assert.equal(refusalOfAddress(loopback, { hostname: 'other.lan', port: 9000 }, policy), 'loopback')
})

test('an IPv4 address is judged the same in every IPv6 form', () => {
  const octet = fc.integer({ min: 0, max: 255 })
  fc.assert(
    fc.property(fc.tuple(octet, octet, octet, octet), ([a, b, c, d]) => {
      const plain = parseAddress(`${a}.${b}.${c}.${d}`)
      assert.ok(plain !== null)
      const hex = (...bytes: number[]) => bytes.map(byte => byte.toString(16).padStart(2, '0')).join('')
      const [high, low] = [hex(a, b), hex(c, d)]
      const inverted = [hex(a ^ 255, b ^ 255), hex(c ^ 255, d ^ 255)].join(':')
      const forms = [
        `::ffff:${high}:${low}`,
        `::ffff:0:${high}:${low}`,
        `64:ff9b::${high}:${low}`,
        `64:ff9b:1::${high}:${low}`,
        `2002:${high}:${low}::1`,
        `2001:0:808:808::${inverted}`,
      ]
      for (const form of forms) {
        const address = parseAddress(form)
        assert.ok(address !== null, form)
        assert.equal(reachOf(address), reachOf(plain), form)
      }
    }),
  )
})

test('every spelling of an IPv4 address gets the same verdict', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 0xffffffff }), number => {
      const octets = [24, 16, 8, 0].map(shift => (number >>> shift) & 255)
      const plain = verdict(`http://${octets.join('.')}:8080/`)
      const [a, b, c, d] = octets as [number, number, number, number]
      const spellings = [
        String(number),
        `0x${number.toString(16)}`,
        `0${number.toString(8)}`,
        octets.map(octet => `0x${octet.toString(16)}`).join('.'),
        octets.map(octet => `0${octet.toString(8)}`).join('.'),
        `${a}.${b}.${c * 256 + d}`,
        `${a}.${b * 65_536 + c * 256 + d}`,
        `${octets.join('.')}.`,
      ]
      for (const spelling of spellings) assert.equal(verdict(`http://${spelling}:8080/`), plain, spelling)
    }),
  )
})

test('the guard gives a verdict for any text', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.webUrl(),
    fc.string().map(part => `http://${part}/`),
  )
  fc.assert(fc.property(text, url => typeof verdict(url) === 'string'))
  assert.equal(verdict(`http://example.com/${'x'.repeat(2048)}`), 'malformed')
})
