/** `roost opt-out`: the numbers that want no more texts. */
import type { Command } from 'commander'
import type { CommandContext } from '#app/command-io.ts'
import { type AccountOption, accountOption, chooseAccount } from '#app/commands/choose-account.ts'
import { printsList } from '#app/commands/resource-commands.ts'
import { doing, type Typed } from '#app/commands/with-writer.ts'

export function addOptOutCommands(program: Command, context: CommandContext): void {
  const optOut = program.command('opt-out').description('numbers that want no more texts')
  printsList(optOut.command('list').description('list the numbers, newest first'), context, {
    words: ['number', 'numbers'],
    key: 'optOuts',
    read: async (...of) => (await import('#app/commands/read-database.ts')).readOptOuts(...of),
    columns: {
      NUMBER: ({ phoneNumber }) => phoneNumber,
      SINCE: ({ since }) => since,
      BY: ({ by }) => by,
      ACCOUNT: ({ account }) => account,
    },
    hidden: ['accountId'],
  })
  for (const [verb, description, note] of [
    [
      'add',
      'put a number on the list; what waits for it ends as failed',
      'It gets no more texts, except codes and alerts.',
    ],
    ['remove', 'take a number off the list', 'It gets texts again.'],
  ] as const)
    optOut
      .command(verb)
      .description(description)
      .argument('<number>', 'the number, like +14155550123')
      .addOption(accountOption('account of the list; optional if there is only one'))
      .action(
        doing(context, async ({ writer, config, options }: Typed<AccountOption>, number: string) => {
          const { readNumberAsSent } = await import('#app/commands/compose-message.ts')
          const phoneNumber = readNumberAsSent(number, config.messages.default_country)
          const { accountId } = await chooseAccount(writer, options.account)
          const json = await writer.ask(`opt-out.${verb}`, { accountId, test: false, phoneNumber })
          return { json, text: json.phoneNumber, note }
        }),
      )
}
