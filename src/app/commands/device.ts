/** `roost device`: pairing phones, listing, renaming, pausing and removing them. */
import type { Command } from 'commander'
import { answer, type CommandContext, optionsOf, table, tell } from '#app/command-io.ts'
import { type AccountOption, accountOption, accountsOf, chooseAccount } from '#app/commands/choose-account.ts'
import { addDeviceGroupCommands } from '#app/commands/device-group.ts'
import { findDevice, listDevices } from '#app/commands/find-device.ts'
import { oneLine } from '#app/commands/one-line.ts'
import { drawQrCode, pairingSteps } from '#app/commands/pairing-steps.ts'
import { addReachCommands } from '#app/commands/reach-phone.ts'
import { readCap, readMonthStart, readName } from '#app/commands/read-arguments.ts'
import { since } from '#app/commands/since.ts'
import { withWriter } from '#app/commands/with-writer.ts'
import type { Writer } from '#contracts/commands.ts'
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
  device
    .command('list')
    .description('list the phones')
    .addOption(accountOption('only phones of this account'))
    .action((_: unknown, command: Command) => printDevices(context, command))
  device
    .command('rename')
    .description('rename a phone')
    .argument('<id>', ID)
    .argument('<name>', 'the new name', readName)
    .action(function (this: Command, id: string, name: string) {
      return changeDevice(context, this, { id, change: { name }, done: was => `${was} is called ${name}.` })
    })
  device
    .command('pause')
    .description('pause a phone: it gets no new texts, and finishes those that it has begun')
    .argument('<id>', ID)
    .action(function (this: Command, id: string) {
      const done = (name: string) => `${name} is paused.`
      return changeDevice(context, this, { id, change: { paused: true }, done })
    })
  device
    .command('resume')
    .description('let a paused phone send again')
    .argument('<id>', ID)
    .action(function (this: Command, id: string) {
      const done = (name: string) => `${name} sends again.`
      return changeDevice(context, this, { id, change: { paused: false }, done })
    })
  device
    .command('cap')
    .description('limit how many SMS the SIM of a phone sends; other phones send the rest')
    .argument('<id>', ID)
    .option('--day <segments>', 'on a day (UTC), or none', readCap)
    .option('--month <segments>', 'in a month, or none', readCap)
    .option('--month-starts-on <day>', 'day on which the month begins, 1 to 28', readMonthStart)
    .action((id: string, _: unknown, command: Command) => capDevice(context, id, command))
  device
    .command('remove')
    .description('end the pairing of a phone; it is disconnected at once')
    .argument('<id>', ID)
    .action((id: string, _: unknown, command: Command) => removeDevice(context, id, command))
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

const HEADINGS = [
  'NAME',
  'STATUS',
  'BATTERY',
  'SIGNAL',
  'ALSO',
  'QUEUE',
  'TODAY',
  'MONTH',
  'LAST SEEN',
  'ACCOUNT',
  'ID',
]

async function printDevices({ io }: CommandContext, command: Command): Promise<void> {
  const options = optionsOf<AccountOption>(command)
  const devices = await withWriter(io, options, async ({ writer }) =>
    listDevices(writer, await accountsOf(writer, options.account)),
  )
  const nowMs = Date.now()
  const rows = devices.map(device => [
    device.name,
    statusOf(device),
    batteryOf(device),
    device.signal === null ? '-' : `${device.signal} dBm`,
    abilitiesOf(device),
    String(device.queueLength),
    String(device.smsToday),
    monthOf(device),
    since(device.lastSeen, nowMs),
    device.account,
    device.deviceId,
  ])
  answer(io, options, { json: { devices }, text: table(HEADINGS, rows) })
}

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

interface DeviceEdit {
  readonly id: string
  readonly change: DeviceChange
  /** The sentence printed afterwards, for the name that the phone had before the change. */
  readonly done: (name: string) => string
}

async function changeDevice(
  { io }: CommandContext,
  command: Command,
  { id, change, done }: DeviceEdit,
): Promise<void> {
  const options = optionsOf(command)
  const { before, after } = await withWriter(io, options, async ({ writer }) => {
    const before = await findDevice(writer, id)
    const { accountId, deviceId } = before
    return { before, after: await writer.ask('device.update', { accountId, deviceId, change }) }
  })
  answer(io, options, { json: after, text: '', note: done(oneLine(before.name)) })
}

interface CapOptions {
  readonly day?: number | null
  readonly month?: number | null
  readonly monthStartsOn?: number
}

function capDevice(context: CommandContext, id: string, command: Command): Promise<void> {
  const { day, month, monthStartsOn } = optionsOf<CapOptions>(command)
  const change = {
    ...(day !== undefined && { smsPerDayMax: day }),
    ...(month !== undefined && { smsPerMonthMax: month }),
    ...(monthStartsOn !== undefined && { monthStartsOn }),
  }
  if (Object.keys(change).length === 0)
    throw invalid([{ path: '--day', message: 'give --day, --month or --month-starts-on' }])
  return changeDevice(context, command, { id, change, done: name => `The caps of ${name} are changed.` })
}

async function removeDevice({ io }: CommandContext, id: string, command: Command): Promise<void> {
  const options = optionsOf(command)
  const { name, ...json } = await withWriter(io, options, ({ writer }) => removeFrom(writer, id))
  answer(io, options, { json, text: '', note: `Removed ${oneLine(name)} (${json.deviceId}).` })
}

async function removeFrom(writer: Writer, id: string) {
  const { accountId, deviceId, name } = await findDevice(writer, id)
  return { name, ...(await writer.ask('device.remove', { accountId, deviceId })) }
}
