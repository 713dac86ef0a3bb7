import { AgentError } from '#agent/agent-error.ts'
import type { DriverDefinition, DriverPorts } from '#agent/drivers/driver-definition.ts'
import type { PhoneAccess } from '#agent/drivers/smsgate/call-phone.ts'
import { readPhoneAddress } from '#agent/drivers/smsgate/phone-address.ts'
import { openPhoneRecord } from '#agent/drivers/smsgate/phone-record.ts'
import { smsgateDriver } from '#agent/drivers/smsgate/smsgate-driver.ts'
import { readSecretFile } from '#agent/read-secret-file.ts'
import { PHONE_USERNAME } from '#contracts/smsgate.ts'

/** A phone with SMSGate's local server. */
interface SmsgateOptions {
  readonly name: 'smsgate'
  readonly url: string
  readonly username: string
  /** Null: the password comes from the environment or from the terminal. */
  readonly passwordFile: string | null
  /** What a gateway that runs the agent of this phone knows. It replaces `passwordFile`. */
  readonly known?: Pick<PhoneAccess, 'password' | 'lookup' | 'mayTransmit'> & {
    readonly phoneId: string
    /** The app CallGate on the same phone. */
    readonly ringer?: PhoneAccess | undefined
  }
}

const flags = {
  phone: {
    value: 'URL',
    brief: "address of the phone's local server, as the app shows it",
    help: ['the address that the app shows, such as http://192.168.1.20:8080'],
  },
  username: {
    value: 'NAME',
    brief: `user name of the local server (default: ${PHONE_USERNAME})`,
    help: [`its user name (default ${PHONE_USERNAME})`],
  },
  'password-file': {
    value: 'FILE',
    brief: 'file whose first line is the password (default: ROOST_PHONE_PASSWORD, or it asks)',
    help: [
      'a file whose first line is its password (default: the environment variable',
      'ROOST_PHONE_PASSWORD; if it is not set, the agent asks)',
    ],
  },
}

export const smsgate: DriverDefinition<SmsgateOptions, typeof flags> = {
  brief: 'SMSGate on the LAN',
  help: 'send with the local server of the app SMSGate on an Android phone',
  flags,
  readOptions({ phone, username = PHONE_USERNAME, 'password-file': passwordFile = null }) {
    if (phone === undefined) return '--driver smsgate needs --phone URL, the address that the app shows.'
    const address = readPhoneAddress(phone)
    if (address.kind === 'wrong') return `--phone ${address.message}.`
    return { name: 'smsgate', url: address.url, username, passwordFile }
  },
  async start({ url, username, passwordFile, known }, ports) {
    const { phoneId, ringer, ...secret } = known ?? {
      password: await readPhonePassword({ username, passwordFile }, ports),
    }
    const record = openPhoneRecord(`${ports.stateFile}.phone`, phoneId)
    const access = { url, username, ...secret }
    return smsgateDriver({ clock: ports.clock, access, record, log: ports.log }, ringer)
  },
  platform: 'android-smsgate',
  beforePairing: health => health.expectAbleToSend(),
}

/**
 * Reads the password of the phone's local server from its file, the environment, or the terminal.
 *
 * @throws AgentError if there is none
 */
async function readPhonePassword(
  { passwordFile, username }: { readonly passwordFile: string | null; readonly username: string },
  { env, askPassword }: DriverPorts,
): Promise<string> {
  const password =
    passwordFile === null
      ? (env['ROOST_PHONE_PASSWORD'] ?? (await askPassword(`Password of ${username} in SMSGate: `)))
      : readSecretFile('--password-file', passwordFile)
  if (password !== '') return password
  throw new AgentError(
    "The phone's password is missing: give --password-file FILE, or ROOST_PHONE_PASSWORD, or type it.",
  )
}
