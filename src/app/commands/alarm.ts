/** `roost alarm`: tests whether alarms reach the owner. */
import type { Command } from 'commander'
import type { CommandContext } from '#app/command-io.ts'
import { doing } from '#app/commands/with-writer.ts'
import { Problem } from '#domain/problem.ts'

export function addAlarmCommands(program: Command, context: CommandContext): void {
  const alarm = program.command('alarm').description('texts to the owner when something is wrong')
  alarm
    .command('test')
    .description('send a test text to each number in alarms.recipients')
    .action(
      doing(context, async ({ writer }) => {
        if (writer.gateway === null)
          throw new Problem(
            'CONFLICT',
            'the gateway is not running, so no alarm would be sent: start it first',
          )
        const json = await writer.ask('alarm.test', {})
        const numbers = json.messages.map(({ phoneNumber }) => phoneNumber).join(', ')
        const text = json.messages.map(({ messageId }) => messageId).join('\n')
        const outcome = 'To see the outcome: roost message show ID'
        return { json, text, note: `${json.phone} sends a test text to ${numbers}. ${outcome}` }
      }),
    )
}
