/** `roost forward`: where received texts are passed on to. */
import type { Command } from 'commander'
import { answer, type CommandContext, optionsOf, table } from '#app/command-io.ts'
import { type AccountOption, accountOption, accountsOf } from '#app/commands/choose-account.ts'
import { oneCalled } from '#app/commands/one-called.ts'
import { oneLine } from '#app/commands/one-line.ts'
import { type WriterAndConfig, withWriter } from '#app/commands/with-writer.ts'

export function addForwardCommands(program: Command, context: CommandContext): void {
  const forward = program.command('forward').description('where received texts are passed on to')
  forward
    .command('list')
    .description('list the forwards')
    .addOption(accountOption('only forwards of this account'))
    .action((_: unknown, command: Command) => listForwards(context, command))
  forward
    .command('test')
    .description('pass a sample text on')
    .argument('<id>', 'id or name of the forward, as listed')
    .action((id: string, _: unknown, command: Command) => testForward(context, id, command))
}

async function listForwards({ io }: CommandContext, command: Command): Promise<void> {
  const options = optionsOf<AccountOption>(command)
  const forwards = await withWriter(io, options, opened => forwardsOf(opened, options.account))
  const rows = forwards.map(({ name, kind, url, target, enabled, failingSince, account, id }) => [
    name,
    kind,
    target ?? (url === null ? '-' : new URL(url).host),
    enabled ? (failingSince === null ? 'on' : 'failing') : 'off',
    account,
    id,
  ])
  const headings = ['NAME', 'KIND', 'TO', 'STATE', 'ACCOUNT', 'ID']
  const json = { forwards: forwards.map(({ accountId: _, ...one }) => one) }
  answer(io, options, { json, text: table(headings, rows) })
}

async function testForward({ io }: CommandContext, idOrName: string, command: Command): Promise<void> {
  const options = optionsOf(command)
  const { name, ...json } = await withWriter(io, options, async opened => {
    const forwards = await forwardsOf(opened, undefined)
    const found = oneCalled(forwards, idOrName, ['forward', 'forwards'])
    const { accountId, id } = found
    return { name: found.name, ...(await opened.writer.ask('forward.test', { accountId, id })) }
  })
  const note = `A sample text is on its way through ${oneLine(name)}; the console shows how it ends.`
  answer(io, options, { json, text: json.id, note })
}

async function forwardsOf({ writer }: WriterAndConfig, account: string | undefined) {
  const { readForwards } = await import('#app/commands/read-on-call.ts')
  return readForwards(writer.directory.database, await accountsOf(writer, account))
}
