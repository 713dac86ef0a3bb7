import type { DriverDefinition } from '#agent/drivers/driver-definition.ts'
import { modemDriver } from '#agent/drivers/modem/modem-driver.ts'
import type { ModemLinkPorts } from '#agent/drivers/modem/modem-link.ts'
import { openModemRecord } from '#agent/drivers/modem/modem-record.ts'
import { readSecretFile } from '#agent/read-secret-file.ts'

interface ModemOptions {
  readonly name: 'modem'
  readonly imei: string
  /** Null: no PIN is known. */
  readonly pinFile: string | null
  /** What a gateway that runs the agent of this modem knows. It replaces `pinFile`. */
  readonly known?: Pick<ModemLinkPorts, 'mayTransmit'> & {
    readonly pin: string | null
    readonly sim: string | null
  }
}

const flags = {
  modem: {
    value: 'IMEI',
    brief: 'the number of the modem, as mmcli shows it',
    help: ['its number (IMEI), as mmcli -m any shows it'],
  },
  'pin-file': {
    value: 'FILE',
    brief: 'file whose first line is the PIN of the SIM; a wrong one is tried once only',
    help: ['a file whose first line is the PIN of its SIM; a wrong one is tried once only'],
  },
}

export const modem: DriverDefinition<ModemOptions, typeof flags> = {
  brief: 'a modem (stick or HAT) by ModemManager',
  help: 'send with a modem that ModemManager drives',
  flags,
  readOptions({ modem: imei, 'pin-file': pinFile = null }) {
    if (imei === undefined || !/^\d{14,17}$/.test(imei))
      return '--driver modem needs --modem IMEI, the number of 15 digits that mmcli -m any shows.'
    return { name: 'modem', imei, pinFile }
  },
  start({ imei, pinFile, known }, { clock, env, log, stateFile }) {
    const pin = known === undefined ? readPin(pinFile) : known.pin
    const record = openModemRecord(`${stateFile}.phone`)
    const sim = known?.sim ?? null
    if (sim !== null && record.sim !== sim) record.change({ sim })
    return modemDriver({
      clock,
      access: { imei, pin },
      record,
      busAddress: env['DBUS_SYSTEM_BUS_ADDRESS'],
      log,
      mayTransmit: known?.mayTransmit,
    })
  },
  beforePairing: health => health.expectAbleToSend(),
}

const readPin = (file: string | null) => (file === null ? null : readSecretFile('--pin-file', file))
