/** `roost check-config`: reports all faults of the configuration, or prints the settings in force. */
import type { Command } from 'commander'
import { stringify } from 'smol-toml'
import { answer, type CommandContext, optionsOf, tell } from '#app/command-io.ts'
import { loadConfig } from '#app/config/config-file.ts'

export function addCheckConfigCommand(program: Command, { io }: CommandContext): void {
  program
    .command('check-config')
    .description('report all faults of the configuration; if there is none, print the settings in force')
    .action((_: unknown, command: Command) => {
      const options = optionsOf(command)
      const { config, file, unknownVariables } = loadConfig({ options, env: io.env, cwd: io.cwd })
      if (unknownVariables.length > 0)
        tell(
          io,
          `Ignored environment variables that match no configuration key: ${unknownVariables.join(', ')}.`,
        )
      answer(io, options, {
        json: { ok: true, file, config },
        text: stringify(config).trimEnd(),
        note:
          file === null
            ? 'There is no configuration file: these are the defaults and the environment variables.'
            : `${file} is valid.`,
      })
    })
}
