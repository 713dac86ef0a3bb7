/** Reads the flags of `roost agent` and of the single-file agent, which are the same. */
import { existsSync } from 'node:fs'
import { readPhoneAddress } from '#agent/drivers/smsgate/phone-address.ts'
import { readServer, type ServerFlags, type ServerRead } from '#agent/read-server.ts'
import { NAME_LENGTH_MAX } from '#contracts/bounds.ts'
import { PHONE_USERNAME } from '#contracts/smsgate.ts'

const DRIVERS = ['log', 'exec', 'termux', 'smsgate'] as const
type DriverName = (typeof DRIVERS)[number]

export interface AgentOptions extends ServerRead {
  readonly stateFile: string
  /** Null: not given, so the device is called after its phone or its host. */
  readonly name: string | null
  readonly driver: DriverName
  readonly exec: string | null
  readonly execLookUp: string | null
  readonly exitZeroIsDelivered: boolean
  /** Null: the driver is not `smsgate`. */
  readonly phone: PhoneOptions | null
}

/** A phone with SMSGate's local server. */
export interface PhoneOptions {
  readonly url: string
  readonly username: string
  /** Null: the password comes from the environment or from the terminal. */
  readonly passwordFile: string | null
}

export const STATE_FILE_DEFAULT = './roost-agent.json'

/** The flags as `node:util` parseArgs and commander return them. A missing flag is undefined. */
export interface AgentFlags extends ServerFlags {
  readonly state?: string | undefined
  readonly name?: string | undefined
  readonly driver?: string | undefined
  readonly exec?: string | undefined
  readonly execLookup?: string | undefined
  readonly exit0IsDelivered?: boolean | undefined
  readonly phone?: string | undefined
  readonly username?: string | undefined
  readonly passwordFile?: string | undefined
}

export const AGENT_HELP = `Turns this computer or a Termux phone into a device of a Roost gateway.

  --server URL --code CODE   pair with the gateway, then run; the code comes from: roost device pair
                             URL can also be a pairing address, which contains the code and the authority
  --authority FINGERPRINT    trust only this authority for HTTPS: the SHA-256 of roost certificate show
  --state FILE               identity of this device (default ${STATE_FILE_DEFAULT}); a device that is in this
                             file already needs no --code. Journal and lock: FILE.journal and FILE.lock
  --name NAME                what the device is called (default: the phone's model, or this host's name)
  --driver log               print what would be sent, and send nothing
  --driver exec              run a command for each message:
    --exec COMMAND             given to sh -c, with ROOST_PHONE_NUMBER, ROOST_MESSAGE, ROOST_MESSAGE_ID,
                               ROOST_ATTEMPT, ROOST_SEGMENTS and ROOST_SIM_SLOT in its environment;
                               exit code 0: sent, 75: not sent, try again, 70: not known, other: not sent
    --exec-lookup COMMAND      run after a crash with the same environment, to say whether a message was sent;
                               exit code 0: it was, 1: it was not, other: unknown
    --exit-0-is-delivered      exit code 0 of COMMAND means delivered, not only sent
  --driver termux            send with Termux:API on an Android phone
  --driver smsgate           send with the local server of the app SMSGate on an Android phone:
    --phone URL                the address that the app shows, such as http://192.168.1.20:8080
    --username NAME            its user name (default ${PHONE_USERNAME})
    --password-file FILE       a file whose first line is its password (default: the environment variable
                               ROOST_PHONE_PASSWORD; if it is not set, the agent asks)
  --help, --version

It runs until SIGTERM, SIGINT or SIGHUP. Exit codes: 0 stopped, 1 failed, 2 wrong usage.
`

export type OptionsRead =
  | { readonly kind: 'options'; readonly options: AgentOptions }
  | { readonly kind: 'wrong'; readonly message: string }

export function readAgentOptions(flags: AgentFlags): OptionsRead {
  const wrong = (message: string) => ({ kind: 'wrong', message }) as const
  const { exec = null, execLookup: execLookUp = null } = flags
  const driver = DRIVERS.find(name => name === flags.driver)
  if (driver === undefined && flags.driver !== undefined)
    return wrong(`--driver must be one of ${DRIVERS.join(', ')}.`)
  const gateway = readServer(flags)
  if (typeof gateway === 'string') return wrong(gateway)
  const { server, code } = gateway
  if (code === null && flags.state === undefined && server !== null) {
    return wrong('--server needs --code CODE to pair, or --state FILE of a device that is paired.')
  }
  if (driver === 'exec' && (exec === null || exec.trim() === ''))
    return wrong('--driver exec needs --exec COMMAND.')
  if (driver !== 'exec' && (exec !== null || execLookUp !== null)) {
    return wrong('--exec and --exec-lookup belong to --driver exec.')
  }
  const phone = readPhone(flags)
  if (typeof phone === 'string') return wrong(phone)
  if (code === null && flags.state === undefined && !existsSync(STATE_FILE_DEFAULT)) {
    return wrong(
      `Pair this device first, with --server URL --code CODE: ${STATE_FILE_DEFAULT} does not exist. ` +
        'To run a device that is paired, name its file with --state FILE.',
    )
  }
  // There is no default driver: if it were `log`, a forgotten flag would report unsent texts as sent.
  if (driver === undefined) return wrong(`--driver is missing: one of ${DRIVERS.join(', ')}.`)
  return {
    kind: 'options',
    options: {
      ...gateway,
      stateFile: flags.state ?? STATE_FILE_DEFAULT,
      name: flags.name?.trim().slice(0, NAME_LENGTH_MAX) || null,
      driver,
      exec,
      execLookUp,
      exitZeroIsDelivered: flags.exit0IsDelivered ?? false,
      phone,
    },
  }
}

/** The phone's options, null for other drivers, or a sentence that says what is wrong. */
function readPhone({ driver, phone, username, passwordFile }: AgentFlags): PhoneOptions | string | null {
  if (driver !== 'smsgate') {
    const isNamed = phone !== undefined || username !== undefined || passwordFile !== undefined
    return isNamed ? '--phone, --username and --password-file belong to --driver smsgate.' : null
  }
  if (phone === undefined) return '--driver smsgate needs --phone URL, the address that the app shows.'
  const address = readPhoneAddress(phone)
  if (address.kind === 'wrong') return `--phone ${address.message}.`
  const { url } = address
  return { url, username: username ?? PHONE_USERNAME, passwordFile: passwordFile ?? null }
}
