import assert from 'node:assert/strict'
import { test } from 'node:test'
import { examine } from '#domain/doctor/examine.ts'
import type { ModemFacts, ModemOfMachine } from '#domain/doctor/facts.ts'
import { HEALTHY } from '#test/kit/healthy-machine.ts'

const IMEI = '490154203237518'
const READY: ModemOfMachine = {
  ...{ imei: IMEI, model: 'SIMCom SIM7600', operator: 'Example', signal: 67, isRoaming: false },
  condition: 'registered',
}
const PHONE: ModemFacts = {
  trouble: null,
  modems: [READY],
  phones: [IMEI],
  user: 'roost',
  refused: [],
  routers: [],
}

function found(change: Partial<ModemFacts> | null): string[] {
  const modems = change === null ? null : { ...PHONE, ...change }
  return examine({ ...HEALTHY, modems }, [])
    .filter(({ code }) => code === 'MODEM')
    .map(({ severity, message }) => `${severity}: ${message}`)
}
const withModem = (change: Partial<ModemOfMachine>) => found({ modems: [{ ...READY, ...change }] })
const IS_READY = `ok: SIMCom SIM7600 ${IMEI} is ready (Example, signal 67 %)`
const LETS = 'ok: polkit lets roost use modems'

for (const [name, findings, expected] of [
  ['modems that are switched off', found(null), ['ok: devices.modems is off: modems are left alone']],
  ['a modem that is ready', found({}), [LETS, IS_READY]],
  [
    'a modem that is no phone yet, and a stick that is a router',
    found({ phones: [], routers: ['HUAWEI_MOBILE'] }),
    [
      LETS,
      `${IS_READY}; it is no phone yet: roost device add modem`,
      'ok: HUAWEI_MOBILE is a small router (HiLink), not a modem: texts cannot be sent with it',
    ],
  ],
  [
    'polkit that refuses the user of a phone',
    found({ refused: ['Messaging', 'Voice'] }),
    ['critical: polkit does not let roost use modems (Messaging, Voice)', IS_READY],
  ],
  [
    'polkit that refuses before a modem is a phone',
    found({ refused: ['Messaging'], phones: [] }).slice(0, 1),
    ['warning: polkit does not let roost use modems (Messaging)'],
  ],
  [
    'polkit that does not answer',
    found({ refused: null }).filter(line => line.startsWith('unknown')),
    ['unknown: polkit does not say whether roost may use modems'],
  ],
  [
    'a bus that is away',
    found({ trouble: 'no-bus', modems: [], refused: null }),
    ['critical: D-Bus cannot be reached, through which ModemManager drives modems'],
  ],
  [
    'no ModemManager where no modem is a phone',
    found({ trouble: 'not-running', modems: [], refused: null, phones: [] }),
    ['ok: No modem is a phone. ModemManager does not run'],
  ],
  [
    'a ModemManager that hangs',
    found({ trouble: 'it does not answer', modems: [], refused: null }),
    ['critical: Modems cannot be used: it does not answer'],
  ],
  [
    'a modem that was pulled out',
    found({ modems: [] }),
    [`warning: ModemManager does not see the modem ${IMEI}, which is a phone`, LETS],
  ],
  ['no modem at all', found({ modems: [], phones: [] }), ['ok: ModemManager runs, and sees no modem']],
  [
    'a PIN that is missing',
    withModem({ condition: 'asks-for-pin' }),
    [LETS, `warning: SIMCom SIM7600 ${IMEI} waits for the PIN of its SIM`],
  ],
  [
    'roaming',
    withModem({ isRoaming: true }),
    [
      LETS,
      `warning: SIMCom SIM7600 ${IMEI} is ready (Example, signal 67 %), and is roaming: texts may cost more`,
    ],
  ],
] as const)
  test(`the doctor on ${name}`, () => assert.deepEqual(findings.toSorted(), [...expected].toSorted()))
