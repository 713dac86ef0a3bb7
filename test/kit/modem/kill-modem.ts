/**
 * A gateway with a modem, under faults of the modem and kill -9 of ModemManager, the gateway and the agent.
 * The pretend modem records what really left.
 */
import { join } from 'node:path'
import { MODEM } from '#agent/drivers/modem/seen-modem.ts'
import { findRepeated } from '#test/kit/find-repeated.ts'
import { type Cleaner, GatewayProcess } from '#test/kit/gateway-process.ts'
import { messagesAtEnd } from '#test/kit/load-clients.ts'
import { ModemWorld } from '#test/kit/modem/modem-world.ts'
import type { ModemFault, PretendModem } from '#test/kit/modem/pretend-modem.ts'
import { nextTurn } from '#test/kit/next-turn.ts'
import { type Program, roost } from '#test/kit/program.ts'
import { Random } from '#test/kit/random.ts'
import { temporaryDirectory } from '#test/kit/temporary-directory.ts'

export interface KillModemSettings {
  readonly rounds: number
  readonly seed: number
  /** Who runs the modem: a thread of the gateway, or `roost agent`. */
  readonly runner: 'gateway' | 'agent'
  /** The most texts that are sent, and that arrive, in a round. */
  readonly sentMax?: number
  readonly arrivedMax?: number
  /** Called after each round; returns whether to run another one. */
  readonly progress?: (round: number, accepted: number) => boolean
  /** Called at the end, while all still run. */
  readonly atEnd?: (modem: PretendModem) => Promise<void>
}

export interface KillModemRecords {
  /** Numbers of texts that the gateway accepted. */
  readonly accepted: readonly number[]
  readonly messages: Awaited<ReturnType<GatewayProcess['messages']>>
  /** What was transmitted, a part a line, repetitions included. */
  readonly transmitted: readonly string[]
  /** Texts that came to the modem, and those that the gateway has. */
  readonly arrived: readonly string[]
  readonly received: readonly string[]
  /** Texts that are left in the modem: whole ones, and parts. */
  readonly left: Stored
  readonly strikes: Readonly<Record<string, number>>
  readonly managerKills: number
}

const ENV = {
  ROOST_DEVICES__SEGMENTS_PER_MINUTE: '60000',
  ROOST_DEVICES__SEGMENTS_BURST: '1000',
}
/** Codes of +CMS ERROR, of the network and of the modem. */
const REFUSALS = [1, 8, 38, 128, 302, 310, 331, 332, 500] as const
const REFUSED_SHARE = 0.03

type Victim = 'manager' | 'gateway' | 'agent'
/** What goes wrong in a round, and who is killed meanwhile. */
const STRIKES: readonly [Strike, ...Strike[]] = [
  ['refuse', []],
  ['slow', []],
  ['none', ['manager']],
  ['silent', ['manager']],
  ['hang', ['manager']],
  ['slow', ['manager']],
  ['none', ['gateway']],
  ['slow', ['gateway']],
  ['none', ['agent']],
  ['slow', ['agent']],
  ['silent', ['gateway', 'manager']],
  ['silent', ['agent', 'manager']],
]
type Strike = readonly [ModemFault, readonly Victim[]]

export async function killModem(t: Cleaner, settings: KillModemSettings): Promise<KillModemRecords> {
  const { rounds, seed, progress = () => true, sentMax = 20, arrivedMax = 4 } = settings
  const run = await start(t, settings)
  const { gateway, world, dice, accepted } = run
  const luck = new Random(seed + 1)
  world.modem.refusesNext = () => luck.chance(REFUSED_SHARE)
  const strikes: Record<string, number> = {}
  let managerKills = 1
  for (let round = 1; round <= rounds; round++) {
    const [fault, victims] = dice.pick(STRIKES)
    const name = [fault, ...victims.map(victim => `${victim} killed`)].join(', ')
    strikes[name] = (strikes[name] ?? 0) + 1
    managerKills += victims.includes('manager') ? 1 : 0
    const count = 1 + dice.below(sentMax)
    await send(run, count)
    receive(run, dice.below(arrivedMax + 1))
    await untilQueued(run, dice.below(count))
    await strike(run, [fault, victims])
    if (!progress(round, accepted.length)) break
  }
  world.modem.refusesNext = () => false
  const messages = await messagesAtEnd(gateway)
  // Of texts that arrive while ModemManager is busy, it reads some only after it has started again.
  await world.killManager()
  await world.startManager()
  await world.modem.until(() => storedIn(world.modem).whole.length === 0)
  await settings.atEnd?.(world.modem)
  return { ...run, messages, strikes, managerKills, ...(await recordsOf(run)) }
}

interface Run {
  readonly gateway: GatewayProcess
  readonly world: ModemWorld
  readonly dice: Random
  readonly accepted: number[]
  readonly arrived: string[]
  readonly deviceId: string
  /** Kills the agent and starts it again. */
  readonly killAgent: () => Promise<void>
}

async function start(t: Cleaner, { runner, seed }: KillModemSettings): Promise<Run> {
  const folder = temporaryDirectory(t)
  const world = await ModemWorld.start(t, folder)
  const env = { ...ENV, DBUS_SYSTEM_BUS_ADDRESS: world.address }
  const gateway = await GatewayProcess.start(t, { env })
  const parts = { gateway, world, dice: new Random(seed), accepted: [], arrived: [] }
  if (runner === 'agent') return { ...parts, ...(await startAgent(t, { gateway, world, folder })) }
  const added = await gateway.asOwner('POST', '/devices', { kind: 'modem', imei: world.modem.imei })
  if (added.status !== 200) throw new Error(`the modem was not added: ${JSON.stringify(added.error)}`)
  const { deviceId } = added.data as { deviceId: string }
  const killAgent = async () => {
    await gateway.kill()
    await gateway.restart()
  }
  return { ...parts, deviceId, killAgent }
}

async function startAgent(
  t: Cleaner,
  { gateway, world, folder }: Pick<Run, 'gateway' | 'world'> & { readonly folder: string },
): Promise<Pick<Run, 'deviceId' | 'killAgent'>> {
  // The agent pairs only with a modem that can send.
  const enable = { interface: MODEM, member: 'Enable', types: 'b', args: [true] }
  await world.call({ path: '/org/freedesktop/ModemManager1/Modem/0', ...enable })
  await world.untilState()
  const { data } = await gateway.asOwner('POST', '/devices/pairings', {})
  const pairing = ['--server', gateway.url, '--code', (data as { code: string }).code]
  const options = { cwd: folder, env: { DBUS_SYSTEM_BUS_ADDRESS: world.address } }
  const run = (...more: string[]): Program => {
    const driver = ['--driver', 'modem', '--modem', world.modem.imei]
    return roost(['agent', '--state', join(folder, 'agent.json'), ...driver, ...more], options)
  }
  let program = run(...pairing)
  t.after(() => program.child.kill('SIGKILL'))
  const line = await program.stderr.until(/^Device dev_/)
  const killAgent = async () => {
    program.child.kill('SIGKILL')
    await program.ended
    program = run()
  }
  return { deviceId: line.split(' ')[1] ?? '', killAgent }
}

/** A text that shows its number in each of its parts. */
function textOf(number: number, isLong: boolean): string {
  return `#${number}# `.repeat(isLong ? Math.ceil(200 / `#${number}# `.length) : 1).trim()
}

const numberIn = (text: string) => Number(/#(\d+)#/.exec(text)?.[1] ?? Number.NaN)

async function send({ gateway, dice, accepted }: Run, count: number): Promise<void> {
  for (let left = count; left > 0; left--) {
    const number = accepted.length + 1
    await gateway.send(textOf(number, dice.chance(0.1)), { queueIfOffline: true })
    accepted.push(number)
  }
}

function receive({ world, dice, arrived }: Run, count: number): void {
  for (let left = count; left > 0; left--) {
    const number = arrived.length + 1
    const text = `in ${textOf(number, dice.chance(0.25))}`
    if (!world.modem.receive({ from: '+4915100000002', text, at: new Date(), reference: number })) return
    arrived.push(text)
  }
}

/** Waits until so few texts wait in the gateway. */
async function untilQueued({ gateway, deviceId }: Run, count: number): Promise<void> {
  await gateway.until(async () => {
    const { status, data, error } = await gateway.api('GET', `/devices/${deviceId}`)
    if (status !== 200) throw new Error(`${deviceId}: ${status} ${JSON.stringify(error)}`)
    return (data as { queueLength: number }).queueLength <= count
  })
}

async function strike(run: Run, [fault, victims]: Strike): Promise<void> {
  const { world, gateway, dice } = run
  const { modem } = world
  modem.refusal = dice.pick(REFUSALS)
  const before = { submitted: modem.submitted, commands: modem.commands.length }
  modem.fault = fault
  // A text of its own for the fault: those before may have left already.
  await send(run, 1)
  // A modem that hangs takes no text any more, only the first part of a command.
  const isHit = () =>
    fault === 'hang' ? modem.commands.length > before.commands : modem.submitted > before.submitted
  await modem.until(isHit)
  if (victims.includes('gateway')) await gateway.kill()
  if (victims.includes('manager')) await world.killManager()
  if (victims.includes('agent')) await run.killAgent()
  await heal(modem)
  if (victims.includes('manager')) await world.startManager()
  if (victims.includes('gateway')) await gateway.restart()
}

async function heal(modem: PretendModem): Promise<void> {
  modem.fault = 'none'
  modem.refusal = 38
  await nextTurn()
  modem.release()
}

async function recordsOf({ gateway, world }: Run) {
  // What is no longer in the modem, the gateway has.
  const received = await receivedTexts(gateway)
  const transmitted = world.modem.onAir.map(({ text, part }) => `${numberIn(text)}, part ${part}`)
  return { transmitted, received, left: storedIn(world.modem) }
}

async function receivedTexts(gateway: GatewayProcess): Promise<string[]> {
  const texts: string[] = []
  let cursor: string | null = null
  do {
    const query: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`
    const { data, page } = await gateway.api('GET', `/received?limit=100${query}`)
    texts.push(...(data as { message: string }[]).map(one => one.message))
    cursor = page?.nextCursor ?? null
  } while (cursor !== null)
  return texts
}

interface Stored {
  readonly whole: readonly string[]
  readonly partly: readonly string[]
}

/** The received texts of which all parts are in the modem's memory, and those of which some are. */
export function storedIn({ memory }: PretendModem): Stored {
  const parts = new Map<string, number>()
  for (const { text, parts: all } of memory.values()) parts.set(text, (parts.get(text) ?? all) - 1)
  const texts = [...parts]
  return {
    whole: texts.filter(([, missing]) => missing === 0).map(([text]) => text),
    partly: texts.filter(([, missing]) => missing > 0).map(([text]) => text),
  }
}

/** All faults that the records show. */
export function findModemFaults(records: KillModemRecords): string[] {
  const { accepted, messages, transmitted, arrived, received, left, managerKills } = records
  const known = new Map(messages.map(one => [numberIn(one.message ?? ''), one]))
  const onAir = new Set(transmitted.map(line => Number.parseInt(line, 10)))
  const [has, came] = [new Set(received), new Set(arrived)]
  return [
    ...accepted.filter(number => !known.has(number)).map(number => `lost: ${number}`),
    ...findRepeated(transmitted).map(line => `transmitted twice: ${line}`),
    ...[...known].flatMap(([number, { status, failure }]) => {
      if (status === 'sent' || status === 'delivered')
        return onAir.has(number) ? [] : [`${status}, but never transmitted: ${number}`]
      if (status !== 'failed') return [`${number} ended ${status}`]
      const isHonest = failure?.code === 'OUTCOME_UNKNOWN' || failure?.code === 'UNDELIVERED'
      return onAir.has(number) && !isHonest ? [`${number} left, and is called ${failure?.code}`] : []
    }),
    ...findRepeated(received).map(text => `received twice: ${text.slice(0, 40)}`),
    ...received.filter(text => !came.has(text)).map(text => `received, but never arrived: ${text}`),
    ...arrived.filter(text => !has.has(text)).map(text => `not received: ${text.slice(0, 40)}`),
    ...left.whole.map(text => `left in the modem: ${text.slice(0, 40)}`),
    // ModemManager deletes the parts of a text one after another. A kill can cut off one deletion.
    ...(left.partly.length > managerKills ? [`parts of ${left.partly.length} texts are left`] : []),
  ]
}

/** How many texts ended in each state, with the code of those that failed. */
export function countModemEnds({ messages }: KillModemRecords): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const { status, failure } of messages) {
    const end = failure === null ? status : `${status} ${failure.code}`
    counts[end] = (counts[end] ?? 0) + 1
  }
  return counts
}
