/** `roost backup`: one file with the database and its secrets. */
import { existsSync, rmSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { Command } from 'commander'
import { answer, type CommandContext, tell } from '#app/command-io.ts'
import { type Invocation, loadForCommand } from '#app/commands/load-for-command.ts'
import { findDataDirectory } from '#app/config/find-data-directory.ts'
import { Problem } from '#domain/problem.ts'

export function addBackupCommand(program: Command, context: CommandContext): void {
  program
    .command('backup')
    .argument('<file>', 'the file to write; a backup with this name is replaced')
    .description('copy the database and its secrets into one file; the gateway may be running')
    .action((file: string, _: unknown, command: Command) => backUpTo(file, { context, command }))
}

/**
 * Reads the database without the writer. Root need not switch to the owner of the data directory here: SQLite
 * gives the files that it creates beside a database to the owner of that database.
 */
async function backUpTo(name: string, invocation: Invocation): Promise<void> {
  const { io, options, loaded } = loadForCommand(invocation)
  const path = findDataDirectory({ loaded, cwd: io.cwd, mayCreate: false })
  const file = resolve(io.cwd, name)
  const { backUp, isBackupFile } = await import('#storage/backup.ts')
  const { dataDirectory } = await import('#storage/data-directory.ts')
  const { DatabaseDamaged } = await import('#storage/sqlite-fault.ts')
  const old = statSync(file, { throwIfNoEntry: false })
  if (old?.isDirectory())
    throw new Problem('CONFLICT', `${file} is a directory: name a file in it, such as ${name}/roost.backup`)
  if (old !== undefined && !isBackupFile(file))
    throw new Problem('CONFLICT', `${file} exists and is not a backup of Roost: name another file`)
  if (!existsSync(dirname(file)))
    throw new Problem('NOT_FOUND', `there is no directory ${dirname(file)}: make it, or name another file`)
  const { sleep } = await import('#rate-limit/sleep.ts')
  const directory = dataDirectory(path)
  const leftOut = await backUp(directory, file, sleep).catch(error => {
    // A running gateway then checks the database itself, and reports the damage.
    if (error instanceof DatabaseDamaged) rmSync(directory.databaseChecked, { force: true })
    throw error
  })
  if (leftOut.length > 0)
    tell(
      io,
      `Left out, because they are not files of the owner: ${leftOut.join(', ')} in ${directory.secrets}`,
    )
  const { size } = statSync(file)
  answer(io, options, {
    json: { file, bytes: size },
    text: file,
    note: 'The backup was checked. It contains the secrets of the gateway: keep it like a password.',
  })
}
