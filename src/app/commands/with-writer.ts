import { existsSync } from 'node:fs'
import type { Command } from 'commander'
import {
  answer,
  type CommandAnswerForms,
  type CommandContext,
  type CommandIo,
  type CommonOptions,
  optionsOf,
  tell,
} from '#app/command-io.ts'
import { actAsOwner } from '#app/commands/act-as-owner.ts'
import type { CommandWriter } from '#app/commands/open-writer-for-command.ts'
import { ConfigFault, type LoadedConfig, loadConfig } from '#app/config/config-file.ts'
import { findDataDirectory } from '#app/config/find-data-directory.ts'
import type { Config } from '#contracts/config.ts'

/** An open writer, and the configuration with the absolute path of its data directory. */
export interface WriterAndConfig {
  readonly writer: CommandWriter
  readonly config: Config
}

export interface WriterOptions extends CommonOptions {
  /** Whether a missing data directory may be made. */
  readonly mayCreate?: boolean
  /** Whether faults of the configuration are only named: what is right in it is enough to ask a gateway. */
  readonly mayBeFaulty?: boolean
}

/** A command that was typed, with its options. */
export interface Typed<Options extends object> extends WriterAndConfig {
  readonly options: Options & CommonOptions
  readonly io: CommandIo
}

/**
 * The action of a command that needs the writer: prints what `run` makes of the arguments. `check` refuses
 * wrong options before anything is opened.
 */
export function doing<Options extends object, Given extends readonly (string | undefined)[]>(
  { io }: CommandContext,
  run: (typed: Typed<Options>, ...given: Given) => Promise<CommandAnswerForms>,
  check: (options: Options) => void = () => {},
): (...called: unknown[]) => Promise<void> {
  return async (...called) => {
    const command = called.at(-1) as Command
    const options = optionsOf<Options>(command)
    check(options)
    // commander gives the options and the command behind the arguments.
    const given = called.slice(0, -2) as unknown as Given
    answer(io, options, await withWriter(io, options, opened => run({ ...opened, options, io }, ...given)))
  }
}

/** @throws ConfigFault */
function load(io: CommandIo, options: WriterOptions): LoadedConfig {
  try {
    return loadConfig({ options, env: io.env, cwd: io.cwd })
  } catch (error) {
    if (!(error instanceof ConfigFault) || options.mayBeFaulty !== true) throw error
    const faults = error.issues.map(({ path, message }) => `\n  ${path}: ${message}`)
    tell(io, `warning: ${error.message}${faults.join('')}`)
    return error.usable
  }
}

/** Opens the writer of the data directory and closes it after the command, even if that fails. */
export async function withWriter<T>(
  io: CommandIo,
  options: WriterOptions,
  use: (opened: WriterAndConfig) => Promise<T>,
): Promise<T> {
  const loaded = load(io, options)
  const { mayCreate = false } = options
  const config = { ...loaded.config, data_dir: findDataDirectory({ loaded, cwd: io.cwd, mayCreate }) }
  const isNew = !existsSync(config.data_dir)
  // Imported only here, because help, usage errors and configuration faults do not need the domain. Imported
  // before switching users, because the other user may not be allowed to read the program.
  const [{ openWriterForCommand }] = await Promise.all([
    import('#app/commands/open-writer-for-command.ts'),
    import('#app/commands/compose-message.ts'),
    import('#app/commands/read-database.ts'),
  ])
  actAsOwner(config.data_dir, io.user)
  const writer = await openWriterForCommand({ config, tell: sentence => tell(io, sentence) })
  try {
    // Report a new directory, because the person may have meant the directory of an existing gateway.
    if (isNew) tell(io, `Made the data directory ${config.data_dir}.`)
    return await use({ writer, config })
  } finally {
    writer.close()
  }
}
