/** `roost device drill`: proves that a phone sends, and that another one receives. */
import { setTimeout as pause } from 'node:timers/promises'
import type { Command } from 'commander'
import { type CommandContext, tell } from '#app/command-io.ts'
import { findDevice } from '#app/commands/find-device.ts'
import { oneLine } from '#app/commands/one-line.ts'
import { doing, type Typed } from '#app/commands/with-writer.ts'
import { EXIT } from '#app/exit-code.ts'
import type { DrillResource } from '#contracts/drill.ts'

const LOOK_EVERY_MS = 500

const SAID: Readonly<Record<NonNullable<DrillResource['outcome']>, string>> = {
  proven: 'Proven: the text came back',
  not_sent: 'Not sent',
  sent_not_received: 'Sent, and not received within 15 minutes',
  late: 'Sent, and received later than 15 minutes',
  skipped: 'Not done',
}

export function addDrillCommand(device: Command, context: CommandContext): void {
  const run = async ({ writer, options, io }: Typed<{ readonly wait?: boolean }>, id: string) => {
    const { accountId, deviceId } = await findDevice(writer, id)
    let drill = await writer.ask('drill.start', { accountId, deviceId })
    if (options.wait !== true) return { json: drill, text: drill.id, note: 'The text is on its way.' }
    tell(io, 'The text is on its way. It takes seconds; what is not proven takes 15 minutes or more.')
    while (drill.outcome === null) {
      await pause(LOOK_EVERY_MS)
      const all = await writer.ask('drill.list', { accountId, deviceId })
      drill = all.find(one => one.id === drill.id) ?? drill
    }
    if (drill.outcome !== 'proven') context.exitCode = EXIT.failed
    return { json: drill, text: drill.id, note: describe(drill) }
  }
  device
    .command('drill')
    .description('prove that a phone sends: its text must come back to a phone of the account')
    .argument('<id>', 'id or name of the phone, as listed')
    .option('--wait', 'wait until it is proven (exit code 0) or not (1)')
    .action(doing(context, run))
}

function describe({ outcome, reason, tookMs }: DrillResource): string {
  const said = outcome === null ? '' : SAID[outcome]
  const span = tookMs === null ? '' : ` after ${Math.round(tookMs / 100) / 10} s`
  return `${said}${span}${reason === null ? '' : `: ${oneLine(reason)}`}.`
}
