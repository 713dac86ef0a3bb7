/** `roost device add` and `find`: phones that the gateway connects to. */
import type { Command } from 'commander'
import { askPassword } from '#agent/ask-password.ts'
import { readPhoneAddress } from '#agent/drivers/smsgate/phone-address.ts'
import { answer, type CommandContext, type CommonOptions, optionsOf, tell } from '#app/command-io.ts'
import { addModem } from '#app/commands/add-modem.ts'
import { type AccountOption, accountOption, chooseAccount } from '#app/commands/choose-account.ts'
import { findDevice } from '#app/commands/find-device.ts'
import { oneLine } from '#app/commands/one-line.ts'
import { readName } from '#app/commands/read-arguments.ts'
import { readLine } from '#app/commands/read-input.ts'
import { type WriterAndConfig, withWriter } from '#app/commands/with-writer.ts'
import { OutsideProblem } from '#app/exit-code.ts'
import { findPhone } from '#app/phones/find-phone.ts'
import { PhoneConnections } from '#app/phones/phone-connections.ts'
import { PHONE_CREDENTIAL_LENGTH_MAX } from '#contracts/bounds.ts'
import { PHONE_USERNAME } from '#contracts/smsgate.ts'
import { invalid, Problem } from '#domain/problem.ts'
import { readPhoneAccess } from '#storage/phone-access-file.ts'

interface AddOptions extends CommonOptions, AccountOption {
  readonly username: string
  readonly passwordStdin?: boolean
  readonly name?: string
  readonly ringer?: string
  readonly ringerUsername: string
}

export function addReachCommands(device: Command, context: CommandContext): void {
  device
    .command('add')
    .description(
      'add a phone that the gateway connects to: smsgate, the local server of the SMSGate app, or modem, a ' +
        'stick, HAT or built-in modem of this machine, by ModemManager',
    )
    .argument('<kind>', 'smsgate or modem')
    .argument('[url]', 'with smsgate: the address that the app shows, such as http://192.168.1.20:8080')
    .addOption(accountOption('account that gets the phone; optional if there is only one'))
    .option('--username <name>', "the app's user name", PHONE_USERNAME)
    .option('--password-stdin', 'read the password from the first line of standard input')
    .option(
      '--ringer <url>',
      'with smsgate: the address of the app CallGate on it, so that it rings people, too',
    )
    .option('--ringer-username <name>', "CallGate's user name", PHONE_USERNAME)
    .option('--modem <imei>', 'with modem: which one, if there are several')
    .option('--pin-stdin', 'with modem: read the PIN of the SIM from the first line of standard input')
    .option('--name <name>', 'name of the phone (default: the name that it reports)', readName)
    .action(function (this: Command, kind: string, url: string | undefined) {
      if (kind === 'modem') return addModem(context, this)
      return addPhone(context, this, { kind, url: url ?? '' })
    })
  device
    .command('find')
    .description('find a phone on this network after its address has changed')
    .argument('<id>', 'id or name of the phone, as listed')
    .action((id: string, _: unknown, command: Command) => searchPhone(context, id, command))
}

async function addPhone(
  { io }: CommandContext,
  command: Command,
  { kind, url }: { readonly kind: string; readonly url: string },
): Promise<void> {
  if (kind !== 'smsgate') throw invalid([{ path: 'kind', message: 'must be smsgate or modem' }])
  const address = readPhoneAddress(url)
  if (address.kind === 'wrong') throw invalid([{ path: 'url', message: address.message }])
  const options = optionsOf<AddOptions>(command)
  const { username, name = null } = options
  const ask = (name: string, app: string) =>
    askPassword(io.stdin, io.stderr, `Password of ${name} in ${app}: `)
  const password = options.passwordStdin
    ? await readLine(io, PHONE_CREDENTIAL_LENGTH_MAX)
    : (io.env['ROOST_PHONE_PASSWORD'] ?? (await ask(username, 'SMSGate')))
  if (password === '') throw invalid([{ path: 'password', message: 'must not be empty' }])
  const ringer = options.ringer !== undefined && {
    url: options.ringer,
    username: options.ringerUsername,
    password: io.env['ROOST_RINGER_PASSWORD'] ?? (await ask(options.ringerUsername, 'CallGate')),
  }
  const { added, isRunning } = await withWriter(io, options, async opened => {
    const { accountId } = await chooseAccount(opened.writer, options.account)
    const added = await openConnections(opened)
      .add({ accountId, url: address.url, username, password, name, ...(ringer && { ringer }) })
      .catch(error => {
        throw asFailure(error)
      })
    return { added, isRunning: opened.writer.gateway !== null }
  })
  const when = isRunning ? 'It can send in a moment' : 'It can send as soon as the gateway runs'
  answer(io, options, { json: added, text: added.deviceId, note: `Added ${oneLine(added.name)}. ${when}.` })
}

/** A phone that refuses the password or does not answer is a failure, not a wrong use of the command. */
function asFailure(error: unknown): unknown {
  if (!(error instanceof Problem) || error.code !== 'INVALID_REQUEST') return error
  return new OutsideProblem(error.code, error.message, error.details)
}

async function searchPhone({ io }: CommandContext, id: string, command: Command): Promise<void> {
  const options = optionsOf(command)
  const found = await withWriter(io, options, async opened => {
    const { accountId, deviceId, ...device } = await findDevice(opened.writer, id)
    const name = oneLine(device.name)
    const access = readPhoneAccess(opened.writer.directory, deviceId)
    if (access === null)
      throw new Problem(
        'CONFLICT',
        `the gateway does not connect to ${name}: the agent on ${name} connects to the gateway`,
      )
    tell(io, `Looking for ${name} on this network …`)
    const { appVersion } = await opened.writer.ask('device.find', { accountId, deviceId })
    const url = await findPhone({ ...access, appVersion }, io.hostsNearby)
    if (url === null)
      throw new Problem(
        'NOT_FOUND',
        `${name} does not answer on this network: switch on "Local server" in the app. ` +
          'If the app was updated meanwhile, change the `url` by PATCH /api/v1/devices/{id}',
      )
    await openConnections(opened).change({ accountId, deviceId }, { url })
    return { deviceId, name, url }
  })
  answer(io, options, { json: found, text: found.url, note: `Found ${found.name}.` })
}

function openConnections({ writer, config }: WriterAndConfig): PhoneConnections {
  const { directory } = writer
  const shareSecrets = () => writer.shareSecrets()
  return new PhoneConnections({ writer, directory, config, limiter: null, shareSecrets })
}
