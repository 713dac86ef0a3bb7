/** `roost check-config`: reports all faults of the configuration, or prints the settings in force. */
import type { Command } from 'commander'
import { stringify } from 'smol-toml'
import { answer, type CommandContext, type CommandIo, optionsOf, tell } from '#app/command-io.ts'
import { actAsOwner } from '#app/commands/act-as-owner.ts'
import { type LoadedConfig, loadConfig } from '#app/config/config-file.ts'
import { DirectoryProblem, findDataDirectory } from '#app/config/find-data-directory.ts'
import type { Config } from '#contracts/config.ts'

export function addCheckConfigCommand(program: Command, { io }: CommandContext): void {
  program
    .command('check-config')
    .description(
      'report all faults of the configuration; if there is none, print the settings in force, with those ' +
        'that were chosen in the console',
    )
    .action(async (_: unknown, command: Command) => {
      const options = optionsOf(command)
      const loaded = loadConfig({ options, env: io.env, cwd: io.cwd })
      const { file, unknownVariables } = loaded
      if (unknownVariables.length > 0)
        tell(
          io,
          `Ignored environment variables that match no configuration key: ${unknownVariables.join(', ')}.`,
        )
      const { fixed = [], ...config } = await inForce(io, loaded)
      // An address that was chosen in the console is never shown.
      const { heartbeat_url } = config.alarms
      if (heartbeat_url !== '' && !fixed.includes('alarms.heartbeat_url'))
        config.alarms = { ...config.alarms, heartbeat_url: '(chosen in the console)' }
      answer(io, options, {
        json: { ok: true, file, config },
        text: stringify(config).trimEnd(),
        note:
          file === null
            ? 'There is no configuration file: these are the defaults, the environment variables, and what ' +
              'was chosen in the console.'
            : `${file} is valid.`,
      })
    })
}

/** What a gateway with this configuration uses, also what its owner chose in the console. */
async function inForce(io: CommandIo, loaded: LoadedConfig): Promise<Config> {
  const { withStoredChoices } = await import('#app/config/stored-choices.ts')
  try {
    const data_dir = findDataDirectory({ loaded, cwd: io.cwd, mayCreate: false })
    actAsOwner(data_dir, io.user)
    const known = loaded.isDataDirGiven ? loaded.config.data_dir : data_dir
    return { ...withStoredChoices({ ...loaded.config, data_dir }), data_dir: known }
  } catch (error) {
    if (!(error instanceof DirectoryProblem)) throw error
    if (error.code !== 'NOT_FOUND') tell(io, `What was chosen in the console is not shown: ${error.message}`)
    return loaded.config
  }
}
