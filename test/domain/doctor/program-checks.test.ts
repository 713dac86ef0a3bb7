import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findingsFor, HEALTHY, STOPPED } from '#test/kit/healthy-machine.ts'

const port = (answer: string, change: object = {}) => ({
  ports: { host: '0.0.0.0', ports: [{ port: 80, answer }], endpoints: { http: 80, https: null } },
  gateway: STOPPED,
  ...change,
})
const NOT_RUNNING = 'GATEWAY critical: The gateway is not running'
const service = (change: object) => ({ service: { ...HEALTHY.service, ...change } })

for (const [name, change, expected] of [
  [
    'each fault of the configuration, and an unknown variable',
    {
      configuration: {
        file: 'c.toml',
        faults: [{ path: 'http.prot', message: 'is not a key' }],
        unknownVariables: ['ROOST_X'],
      },
    },
    [
      'CONFIGURATION critical: http.prot: is not a key',
      'CONFIGURATION warning: ROOST_X is not a known configuration variable and is ignored',
    ],
  ],
  ['a gateway that does not run', port('free'), [NOT_RUNNING]],
  [
    'a process that has locked the directory and does not answer',
    port('used', { gateway: { ...STOPPED, holder: 12 } }),
    [
      'GATEWAY critical: The process 12 has locked the data directory and does not answer',
      'PORT unknown: Port 80 is in use, perhaps by the process 12',
    ],
  ],
  [
    'a data directory that cannot be read',
    port('free', { gateway: { ...STOPPED, unreachable: { message: 'It is hidden', fix: 'Be root.' } } }),
    ['GATEWAY critical: It is hidden'],
  ],
  [
    'a running gateway of another version',
    { gateway: { ...HEALTHY.gateway, ownVersion: '2.0.0' } },
    ['GATEWAY warning: Roost 1.0.0 runs, but 2.0.0 is installed'],
  ],
  [
    'a proxy whose header cannot be read',
    {
      gateway: {
        ...HEALTHY.gateway,
        running: HEALTHY.gateway.running && { ...HEALTHY.gateway.running, unreadForwarded: 'unix:' },
      },
    },
    ['GATEWAY warning: A trusted proxy names its caller in a way that cannot be read: unix:'],
  ],
  [
    'a port that another program uses',
    port('used'),
    [NOT_RUNNING, 'PORT critical: Another program uses port 80'],
  ],
  [
    'a low port',
    port('forbidden'),
    [NOT_RUNNING, 'PORT critical: Only root may listen on port 80, because it is below 1024'],
  ],
  [
    'an address that this machine does not have',
    port('no-address'),
    [NOT_RUNNING, 'PORT critical: This machine does not have the address of 0.0.0.0:80'],
  ],
  [
    'a port that was changed after the start',
    port('free', { gateway: HEALTHY.gateway }),
    ['PORT warning: The configuration says port 80, but the gateway listens on 8080'],
  ],
  [
    'a service that fails',
    service({ failed: true, status: 'Failed: the disk is full' }),
    ['SERVICE critical: The service failed: the disk is full'],
  ],
  [
    'a service that is not enabled, has no watchdog and was restarted',
    service({ enabled: false, hasWatchdog: false, restarts: 3 }),
    [
      'SERVICE warning: The service does not start with the machine',
      'SERVICE warning: The service has no watchdog: a gateway that hangs is not restarted',
      'SERVICE warning: systemd restarted the gateway 3 times since the service started',
    ],
  ],
  [
    'that nothing is known of the start at boot without systemd',
    { service: null },
    ['SERVICE unknown: There is no systemd here: it is unknown what starts the gateway after a power cut'],
  ],
  [
    'a gateway that runs outside its service',
    service({ pid: 5 }),
    ['SERVICE warning: The running gateway was started by hand, not by the service'],
  ],
  [
    'nothing about the service of another gateway',
    service({ isOurs: false, enabled: false, failed: true }),
    [],
  ],
] as readonly [string, object, readonly string[]][])
  test(`roost doctor reports ${name}`, () => assert.deepEqual(findingsFor(change), expected))
