import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY, findingsFor, HEALTHY, HOUR, NOW, STOPPED } from '#test/kit/healthy-machine.ts'

const memory = (change: object) => ({ memory: { ...HEALTHY.memory, ...change } })
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
const discovery = (change: object) => ({ discovery: { ...HEALTHY.discovery, isOwnHeard: false, ...change } })

for (const [name, change, expected] of [
  [
    'a certificate that cannot be read',
    { certificate: { served: { unreadable: 'It cannot be read' }, authority: null } },
    ['CERTIFICATE critical: It cannot be read'],
  ],
  [
    'a certificate that is not valid yet, and an authority that expires soon',
    { certificate: { served: certificate(DAY, 90 * DAY), authority: authority(30 * DAY) } },
    [
      'CERTIFICATE critical: The certificate is not valid before 2026-11-23',
      'CERTIFICATE warning: Roost’s own authority expires on 2026-12-22',
    ],
  ],
  [
    'a certificate with the wrong key, authority and name',
    { certificate: { served: certificate(-DAY, 90 * DAY, wrong), authority: authority(999 * DAY, false) } },
    [
      'CERTIFICATE critical: The certificate cannot be served: key.pem has another key',
      'CERTIFICATE critical: The certificate is not from Roost’s own authority: ' +
        'devices that trust this authority refuse it',
      'CERTIFICATE critical: The certificate does not name sms.lan, the host of public_url: ' +
        'clients refuse it there',
    ],
  ],
  [
    'an expired certificate of a gateway that does not run',
    { certificate: { served: certificate(-2 * DAY, -DAY), authority: null }, gateway: STOPPED },
    [
      'GATEWAY critical: The gateway is not running',
      'PORT critical: Another program uses port 8080',
      'CERTIFICATE critical: The certificate expired on 2026-11-21: phones and programs refuse it',
    ],
  ],
  [
    'nothing about a certificate that expires soon, which is one of the gateway’s own problems',
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
      'MEMORY warning: The kernel ended 1 process of the gateway because memory ran out',
      'MEMORY warning: The memory of the gateway is limited to 100 MB; it needs up to 121 MB',
      'MEMORY warning: Only 40 MB of memory are available',
    ],
  ],
  [
    'a gateway that does not answer on mDNS',
    discovery({ others: ['http://10.0.0.2:8080'] }),
    [
      'DISCOVERY warning: The mDNS announcement of the gateway is not received on the network; ' +
        'other gateways: http://10.0.0.2:8080',
    ],
  ],
  ['nothing about mDNS when discovery is off', discovery({ isEnabled: false }), []],
  [
    'nothing about the network of a gateway that only this machine reaches',
    discovery({ isLocal: true, hasNetwork: false }),
    [],
  ],
  [
    'a machine without a network',
    discovery({ hasNetwork: false }),
    ['DISCOVERY warning: This machine has no address on a network'],
  ],
  [
    'a broker that cannot be reached',
    { broker: { url: 'mqtt://ha.local', fault: 'Not authorized' } },
    ['BROKER warning: mqtt://ha.local cannot be reached: Not authorized'],
  ],
  ['nothing about the broker when there is none', { broker: null }, []],
  [
    'too little memory for a start',
    { ...memory({ availableBytes: 1e8 }), gateway: STOPPED },
    [
      'GATEWAY critical: The gateway is not running',
      'PORT critical: Another program uses port 8080',
      'MEMORY warning: Only 100 MB of memory are available',
    ],
  ],
] as readonly [string, object, readonly string[]][])
  test(`roost doctor reports ${name}`, () => assert.deepEqual(findingsFor(change), expected))
