/** `roost forward`: where received texts are passed on to. */
import type { Command } from 'commander'
import type { CommandContext } from '#app/command-io.ts'
import { oneLine } from '#app/commands/one-line.ts'
import { findListed, listing, printsList } from '#app/commands/resource-commands.ts'
import { doing } from '#app/commands/with-writer.ts'

const FORWARDS = listing({
  words: ['forward', 'forwards'],
  key: 'forwards',
  read: async (...of) => (await import('#app/commands/read-database.ts')).readForwards(...of),
  columns: {
    NAME: ({ name }) => name,
    KIND: ({ kind }) => kind,
    TO: ({ target, url }) => target ?? (url === null ? '-' : new URL(url).host),
    STATE: ({ enabled, failingSince }) => (enabled ? (failingSince === null ? 'on' : 'failing') : 'off'),
    ACCOUNT: ({ account }) => account,
    ID: ({ id }) => id,
  },
  hidden: ['accountId'],
})

export function addForwardCommands(program: Command, context: CommandContext): void {
  const forward = program.command('forward').description('where received texts are passed on to')
  printsList(forward.command('list').description('list the forwards'), context, FORWARDS)
  forward
    .command('test')
    .description('pass a sample text on')
    .argument('<id>', 'id or name of the forward, as listed')
    .action(
      doing(context, async (opened, idOrName: string) => {
        const { accountId, id, name } = await findListed(opened, FORWARDS, idOrName)
        const json = await opened.writer.ask('forward.test', { accountId, id })
        const note = `A sample text is on its way through ${oneLine(name)}; the console shows how it ends.`
        return { json, text: json.id, note }
      }),
    )
}
