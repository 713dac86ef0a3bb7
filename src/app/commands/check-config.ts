/** `roost check-config`: reports every fault of the configuration, or prints the settings in force. */
import type { Command } from 'commander'
import { stringify } from 'smol-toml'
import { answer, type CommandContext, optionsOf, tell } from '#app/command-io.ts'
import { loadConfig } from '#app/config/config-file.ts'

export function addCheckConfigCommand(program: Command, { io }: CommandContext): void {
  program
    .command('check-config')
    .description('report every fault of the configuration; if there is none, print the settings in force')
    .action((_: unknown, command: Command) => {
      const options = optionsOf(command)
      const { config, file, strangers } = loadConfig({ options, env: io.env, cwd: io.cwd })
      if (strangers.length > 0) tell(io, `Ignored, because they name no key: ${strangers.join(', ')}.`)
      answer(io, options, {
        json: { ok: true, file, config },
        text: stringify(config).trimEnd(),
        talk:
          file === null
            ? 'No file: these are the defaults, overridden by the environment.'
            : `${file} is valid.`,
      })
    })
}
