/** `roost opt-out`: the numbers that want no more texts. */
import type { Command } from 'commander'
import { answer, type CommandContext, optionsOf, table } from '#app/command-io.ts'
import { type AccountOption, accountOption, accountsOf, chooseAccount } from '#app/commands/choose-account.ts'
import { withWriter } from '#app/commands/with-writer.ts'

export function addOptOutCommands(program: Command, context: CommandContext): void {
  const optOut = program.command('opt-out').description('numbers that want no more texts')
  optOut
    .command('list')
    .description('list the numbers, newest first')
    .addOption(accountOption('only numbers of this account'))
    .action((_: unknown, command: Command) => listOptOuts(context, command))
  for (const [verb, description] of [
    ['add', 'put a number on the list; what waits for it ends as failed'],
    ['remove', 'take a number off the list'],
  ] as const)
    optOut
      .command(verb)
      .description(description)
      .argument('<number>', 'the number, like +14155550123')
      .addOption(accountOption('account of the list; optional if there is only one'))
      .action((number: string, _: unknown, command: Command) => change(context, command, { verb, number }))
}

async function listOptOuts({ io }: CommandContext, command: Command): Promise<void> {
  const options = optionsOf<AccountOption>(command)
  const { readOptOuts } = await import('#app/commands/read-on-call.ts')
  const optOuts = await withWriter(io, options, async ({ writer }) =>
    readOptOuts(writer.directory.database, await accountsOf(writer, options.account)),
  )
  const rows = optOuts.map(({ phoneNumber, since, by, account }) => [phoneNumber, since, by, account])
  const text = table(['NUMBER', 'SINCE', 'BY', 'ACCOUNT'], rows)
  answer(io, options, { json: { optOuts }, text })
}

interface Change {
  readonly verb: 'add' | 'remove'
  readonly number: string
}

async function change({ io }: CommandContext, command: Command, { verb, number }: Change): Promise<void> {
  const options = optionsOf<AccountOption>(command)
  const { readNumberAsSent } = await import('#app/commands/compose-message.ts')
  const json = await withWriter(io, options, async ({ writer, config }) => {
    const phoneNumber = readNumberAsSent(number, config.messages.default_country)
    const { accountId } = await chooseAccount(writer, options.account)
    return writer.ask(`opt-out.${verb}`, { accountId, test: false, phoneNumber })
  })
  const note = verb === 'add' ? 'It gets no more texts, except codes and alerts.' : 'It gets texts again.'
  answer(io, options, { json, text: json.phoneNumber, note })
}
