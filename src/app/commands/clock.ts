/** `roost clock`: says that the clock of the machine is right. */
import type { Command } from 'commander'
import type { CommandContext } from '#app/command-io.ts'
import { doing } from '#app/commands/with-writer.ts'

export function addClockCommands(program: Command, context: CommandContext): void {
  const clock = program.command('clock').description('the clock by which old messages are removed')
  clock
    .command('confirm')
    .description('say that the clock of this machine is right, although it is far ahead')
    .action(
      doing(context, async ({ writer }) => {
        const json = await writer.ask('clock.confirm', {})
        const note = `The time ${json.time} counts as right. Old messages will be removed by it.`
        return { json, text: '', note }
      }),
    )
}
