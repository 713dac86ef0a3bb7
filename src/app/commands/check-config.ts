/** `roost check-config`: tells every fault of the configuration, or what it comes to. */
import type { Command } from 'commander'
import { stringify } from 'smol-toml'
import { answer, type CommandContext, optionsOf, tell } from '#app/command-io.ts'
import { loadConfig } from '#app/config/config-file.ts'

export function addCheckConfigCommand(program: Command, { io }: CommandContext): void {
  program
    .command('check-config')
    .description('tell every fault of the configuration; without any, print what it comes to')
    .action((_: unknown, command: Command) => {
      const options = optionsOf(command)
      const { config, file, strangers } = loadConfig({ options, env: io.env, cwd: io.cwd })
      if (strangers.length > 0) tell(io, `Left alone, as they name no key: ${strangers.join(', ')}.`)
      answer(io, options, {
        json: { ok: true, file, config },
        text: stringify(config).trimEnd(),
        talk:
          file === null ? 'No file: this is built in, with the environment over it.' : `${file} is in order.`,
      })
    })
}
