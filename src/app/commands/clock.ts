/** `roost clock`: says that the clock of the machine is right. */
import type { Command } from 'commander'
import { answer, type CommandContext, optionsOf } from '#app/command-io.ts'
import { withWriter } from '#app/commands/with-writer.ts'

export function addClockCommands(program: Command, context: CommandContext): void {
  const clock = program.command('clock').description('the clock by which old messages are removed')
  clock
    .command('confirm')
    .description('say that the clock of this machine is right, although it is far ahead')
    .action((_: unknown, command: Command) => confirmClock(context, command))
}

async function confirmClock({ io }: CommandContext, command: Command): Promise<void> {
  const options = optionsOf(command)
  const json = await withWriter(io, options, ({ writer }) => writer.ask('clock.confirm', {}))
  const note = `The time ${json.time} counts as right. Old messages will be removed by it.`
  answer(io, options, { json, text: '', note })
}
