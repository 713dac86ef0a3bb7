/** `roost backup`: one file with the database and its secrets. */
import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Command } from 'commander'
import { answer, type CommandContext, optionsOf } from '#app/command-io.ts'
import { loadConfig } from '#app/config/config-file.ts'
import { findDataDirectory } from '#app/config/find-data-directory.ts'
import { Problem } from '#domain/problem.ts'

export function addBackupCommand(program: Command, context: CommandContext): void {
  program
    .command('backup')
    .argument('<file>', 'where to; a backup that has this name is replaced')
    .description('copy the database and its secrets into one file, beside a running gateway or without one')
    .action((file: string, _: unknown, command: Command) => backUpTo(file, { context, command }))
}

interface Called {
  readonly context: CommandContext
  readonly command: Command
}

/**
 * Reads the database by itself, as root too: SQLite gives the files that it makes beside a database to the
 * owner of that.
 */
async function backUpTo(name: string, { context, command }: Called): Promise<void> {
  const { io } = context
  const options = optionsOf(command)
  const loaded = loadConfig({ options, env: io.env, cwd: io.cwd })
  const path = findDataDirectory({ loaded, cwd: io.cwd, mayCreate: false })
  const file = resolve(io.cwd, name)
  const { backUp, isBackupFile } = await import('#storage/backup.ts')
  const { dataDirectory } = await import('#storage/data-directory.ts')
  const old = statSync(file, { throwIfNoEntry: false })
  if (old?.isDirectory())
    throw new Problem('CONFLICT', `${file} is a directory: name a file in it, such as ${name}/roost.backup`)
  if (old !== undefined && !isBackupFile(file))
    throw new Problem('CONFLICT', `${file} is there and is not a backup of Roost: name another file`)
  backUp(dataDirectory(path), file)
  const { size } = statSync(file)
  answer(io, options, {
    json: { file, bytes: size },
    text: file,
    talk: 'The backup is checked and has the secrets of the gateway in it: keep it like a password.',
  })
}
