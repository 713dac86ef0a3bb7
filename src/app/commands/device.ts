/** `roost device`: pairing phones, listing, renaming, pausing and removing them. */
import type { Command } from 'commander'
import { answer, type CommandContext, optionsOf, tell } from '#app/command-io.ts'
import { type AccountOption, accountOption, chooseAccount } from '#app/commands/choose-account.ts'
import { addDeviceGroupCommands } from '#app/commands/device-group.ts'
import { addDrillCommand } from '#app/commands/drill.ts'
import { findDevice, listDevices } from '#app/commands/find-device.ts'
import { oneLine } from '#app/commands/one-line.ts'
import { drawQrCode, pairingSteps } from '#app/commands/pairing-steps.ts'
import { addReachCommands } from '#app/commands/reach-phone.ts'
import { readCap, readMonthStart, readName } from '#app/commands/read-arguments.ts'
import { listing, printsList } from '#app/commands/resource-commands.ts'
import { since } from '#app/commands/since.ts'
import { doing, type Typed, type WriterAndConfig, withWriter } from '#app/commands/with-writer.ts'
import type { DeviceChange, DeviceListItem } from '#contracts/device.ts'
import { isReceiveTrouble } from '#contracts/phone-orders.ts'
import { invalid } from '#domain/problem.ts'

const ID = 'id or name of the phone, as listed'

export function addDeviceCommands(program: Command, context: CommandContext): void {
  const device = program.command('device').description('phones')
  device
    .command('pair')
    .description('make a one-time pairing code, its address and a QR code')
    .addOption(accountOption('account that gets the phone; optional if there is only one'))
    .option('--name <name>', 'name of the phone (default: the name that it reports)', readName)
    .action((_: unknown, command: Command) => createPairing(context, command))
  printsList(device.command('list').description('list the phones'), context, DEVICES)
  device
    .command('rename')
    .description('rename a phone')
    .argument('<id>', ID)
    .argument('<name>', 'the new name', readName)
    .action(
      changing(
        context,
        (_, name) => ({ name }),
        (was, name) => `${was} is called ${name}.`,
      ),
    )
  device
    .command('pause')
    .description('pause a phone: it gets no new texts, and finishes those that it has begun')
    .argument('<id>', ID)
    .action(
      changing(
        context,
        () => ({ paused: true }),
        name => `${name} is paused.`,
      ),
    )
  device
    .command('resume')
    .description('let a paused phone send again')
    .argument('<id>', ID)
    .action(
      changing(
        context,
        () => ({ paused: false }),
        name => `${name} sends again.`,
      ),
    )
  device
    .command('cap')
    .description('limit how many SMS the SIM of a phone sends; other phones send the rest')
    .argument('<id>', ID)
    .option('--day <segments>', 'on a day (UTC), or none', readCap)
    .option('--month <segments>', 'in a month, or none', readCap)
    .option('--month-starts-on <day>', 'day on which the month begins, 1 to 28', readMonthStart)
    .action(changing(context, capsOf, name => `The caps of ${name} are changed.`))
  device
    .command('remove')
    .description('end the pairing of a phone; it is disconnected at once')
    .argument('<id>', ID)
    .action(doing(context, removeDevice))
  addDrillCommand(device, context)
  addDeviceGroupCommands(device, context)
  addReachCommands(device, context)
}

async function createPairing({ io, canvas }: CommandContext, command: Command): Promise<void> {
  const options = optionsOf<AccountOption & { readonly name?: string }>(command)
  const { name = null } = options
  const { pairing, isRunning } = await withWriter(io, options, async ({ writer }) => {
    const { accountId } = await chooseAccount(writer, options.account)
    const pairing = await writer.ask('device.create-pairing', { accountId, name })
    return { pairing, isRunning: writer.gateway !== null }
  })
  const { code, pairUrl } = pairing
  // Print the QR code even without a terminal: over ssh or docker exec, a person may still read it.
  const note = (text: string) => options.json !== true && tell(io, text)
  if (options.json !== true) canvas.write(`${drawQrCode(pairUrl, io.env)}\n\n`)
  answer(io, options, { json: pairing, text: `${code}\n${pairUrl}` })
  note(pairingSteps(pairing, { isRunning }))
}

const DEVICES = listing({
  words: ['phone', 'phones'],
  key: 'devices',
  read: ({ writer }, accounts) => listDevices(writer, accounts),
  columns: {
    NAME: ({ name }) => name,
    STATUS: device => statusOf(device),
    BATTERY: device => batteryOf(device),
    SIGNAL: ({ signal }) => (signal === null ? '-' : `${signal} dBm`),
    ALSO: device => abilitiesOf(device),
    QUEUE: ({ queueLength }) => String(queueLength),
    TODAY: ({ smsToday }) => String(smsToday),
    MONTH: device => monthOf(device),
    'LAST SEEN': ({ lastSeen }, nowMs) => since(lastSeen, nowMs),
    ACCOUNT: ({ account }) => account,
    ID: ({ deviceId }) => deviceId,
  },
  // A name is enough for all commands, and the table fits a terminal of 100 columns without the rest.
  needs: {
    ACCOUNT: found => new Set(found.map(({ account }) => account)).size > 1,
    ID: found => new Set(found.map(({ name }) => name)).size < found.length,
  },
  hidden: ['accountId'],
})

/** The status column: the status, whether the owner paused the phone, and what is wrong with it. */
function statusOf({ status, paused, trouble }: DeviceListItem): string {
  const word = paused ? `${status}, paused` : status
  if (trouble === null) return word
  const cannotSend = status !== 'offline' && !isReceiveTrouble(trouble)
  return `${cannotSend && !paused ? 'cannot send' : word}: ${trouble}`
}

/** The segments of this month, and the cap. */
function monthOf({ smsThisMonth, smsPerMonthMax }: DeviceListItem): string {
  return smsPerMonthMax === null ? String(smsThisMonth) : `${smsThisMonth} of ${smsPerMonthMax}`
}

/** What the phone does besides sending. */
function abilitiesOf({ receives, calls }: DeviceListItem): string {
  return [...(receives ? ['receives'] : []), ...(calls ? ['rings'] : [])].join(', ') || '-'
}

function batteryOf({ battery, charging }: DeviceListItem): string {
  if (battery === null) return '-'
  return charging === true ? `${battery} %, charging` : `${battery} %`
}

/** The action that changes a phone. `done`: the sentence afterwards, for the name that it had before. */
function changing(
  context: CommandContext,
  changeOf: (options: CapOptions, name?: string) => DeviceChange,
  done: (was: string, name: string) => string,
) {
  const run = async ({ writer, options }: Typed<CapOptions>, id: string, name?: string) => {
    const change = changeOf(options, name)
    const { accountId, deviceId, name: was } = await findDevice(writer, id)
    const json = await writer.ask('device.update', { accountId, deviceId, change })
    return { json, text: '', note: done(oneLine(was), json.name) }
  }
  return doing(context, run, options => void changeOf(options))
}

interface CapOptions {
  readonly day?: number | null
  readonly month?: number | null
  readonly monthStartsOn?: number
}

function capsOf({ day, month, monthStartsOn }: CapOptions): DeviceChange {
  const change = {
    ...(day !== undefined && { smsPerDayMax: day }),
    ...(month !== undefined && { smsPerMonthMax: month }),
    ...(monthStartsOn !== undefined && { monthStartsOn }),
  }
  if (Object.keys(change).length === 0)
    throw invalid([{ path: '--day', message: 'give --day, --month or --month-starts-on' }])
  return change
}

async function removeDevice({ writer }: WriterAndConfig, id: string) {
  const { accountId, deviceId, name } = await findDevice(writer, id)
  const json = await writer.ask('device.remove', { accountId, deviceId })
  return { json, text: '', note: `Removed ${oneLine(name)} (${deviceId}).` }
}
