/** `roost device`: pairing phones, listing and removing them. */
import type { Command } from 'commander'
import { renderUnicodeCompact } from 'uqr'
import { answer, type CommandContext, optionsOf, table, tell } from '#app/command-io.ts'
import { readEmail, readName } from '#app/commands/read-arguments.ts'
import { withWriter } from '#app/commands/with-writer.ts'
import type { AccountResource } from '#contracts/account.ts'
import type { Writer } from '#contracts/commands.ts'
import { notFound, Problem } from '#domain/problem.ts'

interface PairOptions {
  readonly account: string
  readonly name?: string
}

export function addDeviceCommands(program: Command, context: CommandContext): void {
  const device = program.command('device').description('phones')
  device
    .command('pair')
    .description('make a one-time pairing code, its address and a QR code')
    .requiredOption('--account <email>', 'whose phone it will be', readEmail)
    .option('--name <name>', 'what the phone is called; else it names itself', readName)
    .action((_: unknown, command: Command) => createPairing(context, command))
  device
    .command('list')
    .description('list the phones')
    .option('--account <email>', 'only those of this account', readEmail)
    .action((_: unknown, command: Command) => listDevices(context, command))
  device
    .command('remove')
    .description('end the pairing of a phone; it is disconnected at once')
    .argument('<id>', 'id of the phone, as listed')
    .action(async (id: string, _: unknown, command: Command) => {
      const options = optionsOf(command)
      const json = await withWriter(context.io, options, ({ writer }) => removeDevice(writer, id))
      answer(context.io, options, { json, text: '', talk: `Removed ${id}.` })
    })
}

async function createPairing({ io }: CommandContext, command: Command): Promise<void> {
  const options = optionsOf<PairOptions>(command)
  const { account: email, name = null } = options
  const pairing = await withWriter(io, options, async ({ writer }) => {
    const { accountId } = await writer.ask('account.find', { email })
    return writer.ask('device.create-pairing', { accountId, name })
  })
  const { code, expiresAt, pairUrl } = pairing
  // Also into a pipe: behind ssh and docker exec there is a person without a terminal that we could see.
  if (!options.json) tell(io, drawQrCode(pairUrl))
  answer(io, options, {
    json: pairing,
    text: `${code}\n${pairUrl}`,
    talk: `Open the address on the phone, or type the code there, before ${expiresAt}; it works once.`,
  })
}

/**
 * In colours of its own: drawn with those of a light terminal it would be a negative, which some phones miss.
 */
function drawQrCode(text: string): string {
  const lines = renderUnicodeCompact(text, { border: 2 }).split('\n')
  return lines.map(line => `\u001b[97;40m${line}\u001b[0m`).join('\n')
}

async function listDevices({ io }: CommandContext, command: Command): Promise<void> {
  const options = optionsOf<{ readonly account?: string }>(command)
  const devices = await withWriter(io, options, async ({ writer }) => {
    const { account: email } = options
    const accounts =
      email === undefined
        ? await writer.ask('account.list', {})
        : [await writer.ask('account.find', { email })]
    return (await Promise.all(accounts.map(account => devicesOf(writer, account)))).flat()
  })
  const rows = devices.map(({ deviceId, account, status, lastSeen, paused, name }) => {
    return [deviceId, account, paused ? `${status}, paused` : status, lastSeen, name]
  })
  answer(io, options, {
    json: { devices },
    text: table(['ID', 'ACCOUNT', 'STATUS', 'LAST SEEN', 'NAME'], rows),
  })
}

async function devicesOf(writer: Writer, { accountId, email }: AccountResource) {
  const devices = await writer.ask('device.list', { accountId })
  return devices.map(device => ({ ...device, account: email }))
}

/** The writer knows devices by their accounts, the person at the command line by what is listed. */
async function removeDevice(writer: Writer, deviceId: string): Promise<{ readonly deviceId: string }> {
  for (const { accountId } of await writer.ask('account.list', {})) {
    try {
      return await writer.ask('device.remove', { accountId, deviceId })
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== 'NOT_FOUND') throw error
    }
  }
  throw notFound('device')
}
