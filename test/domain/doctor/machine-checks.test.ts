import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY, HOUR, NOW, STOPPED, told, WELL } from '#test/kit/well-machine.ts'

const memory = (change: object) => ({ memory: { ...WELL.memory, ...change } })
const certificate = (from: number, to: number, change: object = {}) => ({
  file: 'cert.pem',
  notBefore: NOW + from,
  notAfter: NOW + to,
  ...{ keyFault: null, lacksName: null, ...change },
})
const authority = (to: number, signedIt = true) => ({
  ...{ file: 'authority.pem', notBefore: NOW - DAY, notAfter: NOW + to },
  signedIt,
})
const wrong = { keyFault: 'key.pem has another key', lacksName: 'sms.lan' }
const discovery = (change: object) => ({ discovery: { ...WELL.discovery, isOwnHeard: false, ...change } })

for (const [name, change, expected] of [
  [
    'no certificate where one is wanted',
    { certificate: { served: { unseen: 'It cannot be read' }, authority: null } },
    ['CERTIFICATE critical: It cannot be read'],
  ],
  [
    'a certificate of tomorrow, and an authority that ends',
    { certificate: { served: certificate(DAY, 90 * DAY), authority: authority(30 * DAY) } },
    [
      'CERTIFICATE critical: The certificate is valid from 2026-11-23 on, so not yet',
      'CERTIFICATE warning: The own authority ends on 2026-12-22',
    ],
  ],
  [
    'a certificate that clients refuse: of another key, authority and name',
    { certificate: { served: certificate(-DAY, 90 * DAY, wrong), authority: authority(999 * DAY, false) } },
    [
      'CERTIFICATE critical: The certificate cannot be served: key.pem has another key',
      'CERTIFICATE critical: The certificate is not from the own authority: what trusts that one refuses it',
      'CERTIFICATE critical: The certificate does not name sms.lan, the host of the public address: ' +
        'clients refuse it there',
    ],
  ],
  [
    'an expired certificate of a gateway that does not run',
    { certificate: { served: certificate(-2 * DAY, -DAY), authority: null }, gateway: STOPPED },
    [
      'GATEWAY critical: The gateway is not running',
      'PORT critical: Another program has port 8080',
      'CERTIFICATE critical: The certificate expired on 2026-11-21: phones and programs refuse it',
    ],
  ],
  [
    'a certificate that ends is told by the list of problems alone',
    { certificate: { served: certificate(-DAY, DAY), authority: null } },
    [],
  ],
  [
    'a clock without a time server, and one that jumped',
    { clock: { isSynchronised: false, steppedMs: -2 * HOUR } },
    [
      'CLOCK warning: The clock is not set by a time server',
      'CLOCK warning: The clock was set back by 2 hours since the gateway started: ' +
        'times of earlier messages are off by as much',
    ],
  ],
  [
    'little memory, a low limit and kills',
    memory({ availableBytes: 4e7, limitBytes: 1e8, kills: 1 }),
    [
      'MEMORY warning: The kernel ended 1 process of the gateway for want of memory',
      'MEMORY warning: The memory of the gateway is limited to 100 MB; it needs up to 121 MB',
      'MEMORY warning: Only 40 MB of memory are available',
    ],
  ],
  [
    'a gateway that does not answer on mDNS',
    discovery({ others: ['http://10.0.0.2:8080'] }),
    ['DISCOVERY warning: The gateway is not heard on the network by mDNS; others are: http://10.0.0.2:8080'],
  ],
  ['a gateway that announces nothing by choice', discovery({ isEnabled: false }), []],
  ['a gateway for this machine alone', discovery({ isLocal: true, hasNetwork: false }), []],
  [
    'a machine without a network',
    discovery({ hasNetwork: false }),
    ['DISCOVERY warning: This machine has no address on a network'],
  ],
  [
    'too little memory for a start',
    { ...memory({ availableBytes: 1e8 }), gateway: STOPPED },
    [
      'GATEWAY critical: The gateway is not running',
      'PORT critical: Another program has port 8080',
      'MEMORY warning: Only 100 MB of memory are available',
    ],
  ],
] as readonly [string, object, readonly string[]][])
  test(`the doctor tells of: ${name}`, () => assert.deepEqual(told(change), expected))
