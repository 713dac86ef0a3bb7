/** `roost alarm`: tests whether alarms reach the owner. */
import type { Command } from 'commander'
import { answer, type CommandContext, optionsOf } from '#app/command-io.ts'
import { withWriter } from '#app/commands/with-writer.ts'
import { Problem } from '#domain/problem.ts'

export function addAlarmCommands(program: Command, context: CommandContext): void {
  const alarm = program.command('alarm').description('texts to the owner when something is wrong')
  alarm
    .command('test')
    .description('send a test text to each number in alarms.recipients')
    .action((_: unknown, command: Command) => sendTest(context, command))
}

async function sendTest({ io }: CommandContext, command: Command): Promise<void> {
  const options = optionsOf(command)
  const sent = await withWriter(io, options, async ({ writer }) => {
    if (writer.gateway === null)
      throw new Problem('CONFLICT', 'the gateway is not running, so no alarm would be sent: start it first')
    return await writer.ask('alarm.test', {})
  })
  const numbers = sent.messages.map(({ phoneNumber }) => phoneNumber).join(', ')
  answer(io, options, {
    json: sent,
    text: sent.messages.map(({ messageId }) => messageId).join('\n'),
    note: `${sent.phone} sends a test text to ${numbers}. To see the outcome: roost message show ID`,
  })
}
