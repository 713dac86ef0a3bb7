import assert from 'node:assert/strict'
import { test } from 'node:test'
import { STOPPED, told, WELL } from '#test/kit/well-machine.ts'

const port = (answer: string, change: object = {}) => ({
  ports: { host: '0.0.0.0', ports: [{ port: 80, answer }], endpoints: { http: 80, https: null } },
  gateway: STOPPED,
  ...change,
})
const NOT_RUNNING = 'GATEWAY critical: The gateway is not running'
const service = (change: object) => ({ service: { ...WELL.service, ...change } })

for (const [name, change, expected] of [
  [
    'each fault of the configuration is critical, a strange variable a warning',
    {
      configuration: {
        file: 'c.toml',
        faults: [{ path: 'http.prot', message: 'is not a key' }],
        unknownVariables: ['ROOST_X'],
      },
    },
    [
      'CONFIGURATION critical: http.prot: is not a key',
      'CONFIGURATION warning: ROOST_X names no key and is left alone',
    ],
  ],
  ['no gateway runs', port('free'), [NOT_RUNNING]],
  [
    'a process holds the directory and does not answer',
    port('used', { gateway: { ...STOPPED, holder: 12 } }),
    [
      'GATEWAY critical: The process 12 holds the data directory and does not answer',
      'PORT unknown: Port 80 is in use, perhaps by the process 12',
    ],
  ],
  [
    'a directory that may not be looked into',
    port('free', { gateway: { ...STOPPED, unreachable: { message: 'It is hidden', fix: 'Be root.' } } }),
    ['GATEWAY critical: It is hidden'],
  ],
  [
    'a gateway of another version runs',
    { gateway: { ...WELL.gateway, ownVersion: '2.0.0' } },
    ['GATEWAY warning: Roost 1.0.0 runs, but 2.0.0 is installed'],
  ],
  ['another program has the port', port('used'), [NOT_RUNNING, 'PORT critical: Another program has port 80']],
  [
    'a low port',
    port('forbidden'),
    [NOT_RUNNING, 'PORT critical: Port 80 is for root: ports below 1024 are'],
  ],
  [
    'an address that is not here',
    port('no-address'),
    [NOT_RUNNING, 'PORT critical: This machine does not have the address of 0.0.0.0:80'],
  ],
  [
    'a port that was changed since the start',
    port('free', { gateway: WELL.gateway }),
    ['PORT warning: The configuration says port 80, the gateway listens on 8080'],
  ],
  [
    'a service that fails',
    service({ failed: true, status: 'Failed: the disk is full' }),
    ['SERVICE critical: The service failed: the disk is full'],
  ],
  [
    'a service without watchdog, that is not enabled and was restarted',
    service({ enabled: false, hasWatchdog: false, restarts: 3 }),
    [
      'SERVICE warning: The service does not start with the machine',
      'SERVICE warning: The service has no watchdog: a gateway that hangs is not restarted',
      'SERVICE warning: systemd has restarted the gateway since you started it, 3 in all',
    ],
  ],
  [
    'a gateway beside its service',
    service({ pid: 5 }),
    ['SERVICE warning: The gateway that runs was started by hand, not by the service'],
  ],
  ['the service of another gateway', service({ isOurs: false, enabled: false, failed: true }), []],
] as readonly [string, object, readonly string[]][])
  test(`the doctor tells of: ${name}`, () => assert.deepEqual(told(change), expected))
