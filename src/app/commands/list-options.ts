/** Options and code that the lists of messages and of received texts share: time span, limit, `--follow`. */
import { setTimeout as pause } from 'node:timers/promises'
import { type Command, InvalidArgumentError } from 'commander'
import * as v from 'valibot'
import { answer, type CommandIo, type CommonOptions, table } from '#app/command-io.ts'
import { type AccountOption, chooseAccount } from '#app/commands/choose-account.ts'
import { findDevice, listDevices } from '#app/commands/find-device.ts'
import { oneLine } from '#app/commands/one-line.ts'
import { spanS } from '#app/commands/read-arguments.ts'
import { withWriter } from '#app/commands/with-writer.ts'
import { PAGE_SIZE_DEFAULT, PAGE_SIZE_MAX } from '#contracts/bounds.ts'
import { Time } from '#contracts/primitives.ts'

export interface ListOptions extends CommonOptions {
  /** Milliseconds since 1970, like `until`. */
  readonly since?: number
  readonly until?: number
  readonly limit: number
  readonly follow?: boolean
}

/** How often `--follow` reads the database. People do not notice half a second. */
const FOLLOW_EVERY_MS = 500

export function addListOptions(command: Command): Command {
  return command
    .option('--since <time>', 'from a time on: 2026-01-31T12:00:00Z, or 90m, 2h, 7d before now', readTime)
    .option('--until <time>', 'up to a time, written like that of --since', readTime)
    .option(
      '--limit <number>',
      `highest number of entries, 1 to ${PAGE_SIZE_MAX}`,
      readLimit,
      PAGE_SIZE_DEFAULT,
    )
    .option('--follow', 'keep running and show new entries as they arrive, until Ctrl-C')
}

/** Parses a time or a span before now to milliseconds since 1970. */
function readTime(text: string): number {
  const seconds = spanS(text)
  if (seconds !== null) return Date.now() - seconds * 1000
  const time = v.safeParse(Time, text)
  if (time.success) return time.output
  throw new InvalidArgumentError('It must be a time like 2026-01-31T12:00:00Z, or a span like 90m, 2h, 7d.')
}

function readLimit(text: string): number {
  const limit = /^\d{1,4}$/.test(text) ? Number(text) : 0
  if (limit >= 1 && limit <= PAGE_SIZE_MAX) return limit
  throw new InvalidArgumentError(`It must be a whole number from 1 to ${PAGE_SIZE_MAX}.`)
}

/** A list in the database, newest first. */
export interface Printed<T> {
  /** Its name in JSON. */
  readonly key: string
  readonly headings: readonly string[]
  readonly read: () => readonly T[]
  readonly close: () => void
  readonly idOf: (item: T) => string
  /** With `--follow`, an item is printed again when this value changes. */
  readonly stateOf: (item: T) => string
  readonly row: (item: T) => readonly string[]
}

/** Prints a list, with `--follow` until `stopSignal` aborts, and closes it. */
export async function printList<T extends object>(
  io: CommandIo,
  options: ListOptions,
  list: Printed<T>,
): Promise<void> {
  try {
    if (options.follow === true) return await follow(io, options, list)
    const found = list.read()
    answer(io, options, { json: { [list.key]: found }, text: table(list.headings, found.map(list.row)) })
  } finally {
    list.close()
  }
}

/** Prints the current items, oldest first, then each new or changed one. */
async function follow<T extends object>(
  io: CommandIo,
  options: CommonOptions,
  { read, idOf, stateOf, row }: Printed<T>,
): Promise<void> {
  const textOf = (item: T) =>
    row(item)
      .map(cell => oneLine(cell))
      .join('  ')
  const stop = io.stopSignal()
  let known = new Map<string, string>()
  while (!stop.aborted) {
    const items = read().toReversed()
    for (const item of items)
      if (known.get(idOf(item)) !== stateOf(item)) answer(io, options, { json: item, text: textOf(item) })
    // Forget items that are no longer among the newest, so that the map stays small.
    known = new Map(items.map(item => [idOf(item), stateOf(item)]))
    await pause(FOLLOW_EVERY_MS, undefined, { signal: stop }).catch(() => undefined)
  }
}

/** The account and the phones whose entries a list shows, and the database that contains them. */
export interface ListPlace {
  readonly accountId: string
  /** Show only entries of this phone; null: of all phones. */
  readonly deviceId: string | null
  /** Names of phones by their ids. */
  readonly names: ReadonlyMap<string, string>
  /** Path of the database. */
  readonly file: string
}

/** Asks the writer for the account, the phones and the database of a list, then closes the writer. */
export function findPlace(
  io: CommandIo,
  options: CommonOptions & AccountOption & { readonly device?: string },
): Promise<ListPlace> {
  return withWriter(io, options, async ({ writer }) => {
    const account = await chooseAccount(writer, options.account)
    const device = options.device === undefined ? null : await findDevice(writer, options.device, account)
    const phones = await listDevices(writer, [account])
    const names = new Map(phones.map(({ deviceId, name }) => [deviceId, name]))
    const file = writer.directory.database
    return { accountId: account.accountId, deviceId: device?.deviceId ?? null, names, file }
  })
}
