import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { type CommandIo, type CommonOptions, tell } from '#app/command-io.ts'
import { loadConfig } from '#app/config/config-file.ts'
import type { Writer } from '#contracts/commands.ts'
import type { DataDirectory } from '#storage/data-directory.ts'

/** What a command works with. */
export interface Opened {
  readonly writer: Writer
  readonly directory: DataDirectory
}

/** Opens the writer of the configured data directory, and closes it behind the command however that ends. */
export async function withWriter<T>(
  io: CommandIo,
  options: CommonOptions,
  use: (opened: Opened) => Promise<T>,
): Promise<T> {
  const loaded = loadConfig({ options, env: io.env, cwd: io.cwd }).config
  const config = { ...loaded, data_dir: resolve(io.cwd, loaded.data_dir) }
  const isNew = !existsSync(config.data_dir)
  // Loaded here and not above: help, wrong usage and faults of the configuration do without the domain.
  const { openWriterForCommand } = await import('#app/commands/open-writer-for-command.ts')
  const writer = await openWriterForCommand({ config, tell: sentence => tell(io, sentence) })
  try {
    // A new directory is a surprise to whoever meant that of a gateway.
    if (isNew) tell(io, `Made the data directory ${config.data_dir}.`)
    return await use({ writer, directory: writer.directory })
  } finally {
    writer.close()
  }
}
