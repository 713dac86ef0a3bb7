/** The commands `list` and `remove` of the things that an account has. */
import type { Command } from 'commander'
import { type CommandContext, table } from '#app/command-io.ts'
import { type AccountOption, accountOption, accountsOf } from '#app/commands/choose-account.ts'
import { oneCalled } from '#app/commands/one-called.ts'
import { oneLine } from '#app/commands/one-line.ts'
import { doing, type WriterAndConfig } from '#app/commands/with-writer.ts'
import type { AccountResource } from '#contracts/account.ts'

/** What a list shows. */
export interface Listing<T> {
  /** Its name in sentences, for one and for several. */
  readonly words: readonly [one: string, several: string]
  /** The name of the list in JSON. */
  readonly key: string
  /** The things of these accounts. */
  readonly read: (opened: WriterAndConfig, accounts: readonly AccountResource[]) => Promise<readonly T[]>
  /** Cells by their headings. */
  readonly columns: Readonly<Record<string, (one: T, nowMs: number) => string>>
  /** Whether the table needs the column of this heading; left out: it does. */
  readonly needs?: Readonly<Record<string, (found: readonly T[]) => boolean>>
  /** Fields that JSON leaves out. */
  readonly hidden?: readonly (keyof T)[]
}

/** A list whose type is what `read` finds. */
export function listing<T>(of: Listing<T>): Listing<T> {
  return of
}

/** Makes `command` print a list. */
export function printsList<T extends object>(
  command: Command,
  context: CommandContext,
  { words, key, read, columns, needs = {}, hidden = [] }: Listing<T>,
): void {
  command.addOption(accountOption(`only ${words[1]} of this account`)).action(
    doing(context, async (opened: WriterAndConfig & { readonly options: AccountOption }) => {
      const found = await read(opened, await accountsOf(opened.writer, opened.options.account))
      const nowMs = Date.now()
      const needed = Object.entries(columns).filter(([heading]) => needs[heading]?.(found) ?? true)
      const rows = found.map(one => needed.map(([, cell]) => cell(one, nowMs)))
      const isShown = (field: string) => !(hidden as readonly string[]).includes(field)
      const shown = found.map(one =>
        Object.fromEntries(Object.entries(one).filter(([field]) => isShown(field))),
      )
      return {
        json: { [key]: shown },
        text: table(
          needed.map(([heading]) => heading),
          rows,
        ),
      }
    }),
  )
}

/**
 * The thing of any account with this id, or else the only one with this name.
 *
 * @throws Problem NOT_FOUND; CONFLICT: several have that name
 */
export async function findListed<T extends { readonly id: string; readonly name: string }>(
  opened: WriterAndConfig,
  { read, words }: Pick<Listing<T>, 'read' | 'words'>,
  idOrName: string,
): Promise<T> {
  return oneCalled(await read(opened, await accountsOf(opened.writer, undefined)), idOrName, words)
}

/** Makes `command` remove one of the list. */
export function removesListed<T extends { readonly id: string; readonly name: string }>(
  command: Command,
  context: CommandContext,
  { remove, ...listing }: Listing<T> & { remove(opened: WriterAndConfig, which: T): Promise<object> },
): void {
  command.argument('<id>', `id or name of the ${listing.words[0]}, as listed`).action(
    doing(context, async (opened, idOrName: string) => {
      const found = await findListed(opened, listing, idOrName)
      const json = await remove(opened, found)
      return { json, text: '', note: `Removed ${oneLine(found.name)} (${found.id}).` }
    }),
  )
}
