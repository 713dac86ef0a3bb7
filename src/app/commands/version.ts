/** `roost version`. */
import type { Command } from 'commander'
import { answer, type CommandContext, optionsOf } from '#app/command-io.ts'
import { VERSION } from '#app/version.ts'

export function addVersionCommand(program: Command, { io }: CommandContext): void {
  program
    .command('version')
    .description('print the version')
    .action((_: unknown, command: Command) => {
      const { node, sqlite = null } = process.versions
      const { arch, platform } = process
      answer(io, optionsOf(command), {
        json: { version: VERSION, node, sqlite, platform: `${platform}-${arch}` },
        text: `roost ${VERSION} (Node ${node}, SQLite ${sqlite}, ${platform}-${arch})`,
      })
    })
}
