/** Modems of the gateway's machine, in the API's requests and answers. */
import * as v from 'valibot'
import { noted } from '#contracts/noted.ts'
import { Name } from '#contracts/primitives.ts'

/** What a modem is doing, in ModemManager's words, from -1 (`failed`) on. */
export const MODEM_STATES = [
  'failed',
  'unknown',
  'initializing',
  'locked',
  'disabled',
  'disabling',
  'enabling',
  'enabled',
  'searching',
  'registered',
  'disconnecting',
  'connecting',
  'connected',
] as const

/** Models of which the handbook speaks, by maker. A modem's own name of itself has the model's name in it. */
export const MODEM_MODELS = {
  SIMCom: ['SIM7000', 'SIM7070', 'SIM7080', 'SIM7100', 'SIM7600'],
  Quectel: ['BG96', 'EC25', 'EG25', 'EG06', 'EG91', 'EG95', 'RM500'],
  Telit: ['LE910C1', 'LE910S1', 'LN920', 'ME910C1'],
  'Sierra Wireless': ['MC7455', 'EM7345'],
  'u-blox': ['TOBY-L2', 'TOBY-R2'],
  Cinterion: ['PHS8', 'PLS62', 'PLS63', 'PLS83'],
  Fibocom: ['L610', 'L850', 'FM101', 'FM150'],
  Huawei: ['E226', 'E3372'],
  'D-Link': ['DWM-222'],
} as const

const textOrUnknown = (what: string) => noted(v.nullable(v.string()), `${what}; null: unknown.`)

export const ModemItem = v.object({
  imei: noted(v.string(), 'The number of the modem (IMEI).'),
  model: noted(v.string(), 'Maker and model.'),
  operator: textOrUnknown('Name of the network operator'),
  phoneNumber: textOrUnknown('Number of the SIM'),
  signal: noted(
    v.nullable(v.pipe(v.number(), v.minValue(0), v.maxValue(100))),
    'Signal quality in percent; null: unknown.',
  ),
  state: noted(v.picklist(MODEM_STATES), 'What the modem is doing, in ModemManager’s words.'),
  locked: noted(v.boolean(), 'Whether the SIM waits for its PIN.'),
})
export type ModemItem = v.InferOutput<typeof ModemItem>

const Pin = v.pipe(v.string('must be text'), v.regex(/^\d{4,8}$/, 'must be 4 to 8 digits'))
export const PinChange = v.object({
  pin: noted(v.optional(Pin), 'The PIN of the SIM; only for the kind `modem`. No answer shows it.'),
})

/** Adds a modem of the gateway's machine. */
export const AddModemRequest = v.object({
  kind: noted(v.literal('modem'), '`modem`: a modem of the gateway’s machine.'),
  imei: noted(
    v.pipe(v.string('must be text'), v.regex(/^\d{14,17}$/, 'must be the 15 digits of the modem (IMEI)')),
    'The number of the modem, as in `GET /devices/modems`.',
  ),
  pin: noted(v.nullish(Pin), 'The PIN of the SIM, if it asks for one. A wrong one is tried once.'),
  name: noted(v.nullish(Name), 'A name for the phone; default: the model of the modem.'),
})

export interface NewModem {
  readonly accountId: string
  readonly imei: string
  /** Null: none was given. */
  readonly pin: string | null
  /** Null: call it after its model. */
  readonly name: string | null
  /** Who adds it, for the audit list. */
  readonly by?: string | undefined
}
