/** `roost restore`: makes a data directory from a backup. */
import { closeSync, existsSync, openSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Command } from 'commander'
import { answer, type CommandContext, type CommandIo, tell } from '#app/command-io.ts'
import { actAsOwner } from '#app/commands/act-as-owner.ts'
import { type Invocation, loadForCommand } from '#app/commands/load-for-command.ts'
import { holdDataDirectory } from '#app/hold-data-directory.ts'
import type { Config } from '#contracts/config.ts'
import { Problem } from '#domain/problem.ts'

const NOT_IN_CLUSTER =
  'a member of a cluster takes its data from the others: roost cluster join CODE. To begin again with a ' +
  'backup, restore it without [cluster] in the configuration, then run roost cluster recover'

export function addRestoreCommand(program: Command, context: CommandContext): void {
  program
    .command('restore')
    .argument('<file>', 'a backup made by: roost backup')
    .description('make a data directory from a backup; open messages end and are not sent again')
    .action((file: string, _: unknown, command: Command) => restore(file, { context, command }))
}

async function restore(name: string, invocation: Invocation): Promise<void> {
  const { io, options, loaded } = loadForCommand(invocation)
  const config = { ...loaded.config, data_dir: resolve(io.cwd, loaded.config.data_dir) }
  if (config.cluster.etcd.length > 0) throw new Problem('CONFLICT', NOT_IN_CLUSTER)
  // Load the program and open the backup before switching users: the other user may not be allowed to.
  const { openWriterForCommand } = await import('#app/commands/open-writer-for-command.ts')
  const source = openBackup(resolve(io.cwd, name))
  try {
    actAsOwner(config.data_dir, io.user)
    await restoreFrom(source, config)
  } finally {
    closeSync(source)
  }
  const sentences: string[] = []
  const writer = await openWriterForCommand({ config, tell: sentence => sentences.push(sentence) })
  writer.close()
  tellRestored(io, sentences)
  answer(io, options, { json: { dataDir: config.data_dir }, text: config.data_dir })
}

/** Opens the file for reading. @throws Problem NOT_FOUND when there is none */
function openBackup(file: string): number {
  if (!existsSync(file))
    throw new Problem('NOT_FOUND', `there is no file ${file}: name one that roost backup has made`)
  return openSync(file, 'r')
}

async function restoreFrom(source: number, config: Config): Promise<void> {
  const { expectEmpty, restoreBackup } = await import('#storage/restore-backup.ts')
  const { dataDirectory } = await import('#storage/data-directory.ts')
  const directory = dataDirectory(config.data_dir)
  expectEmpty(directory)
  const lock = await holdDataDirectory(directory)
  try {
    restoreBackup(source, directory)
  } finally {
    lock.release()
  }
}

function tellRestored(io: CommandIo, sentences: readonly string[]): void {
  for (const sentence of sentences) tell(io, sentence)
  tell(
    io,
    'Keys and webhook addresses that you revoked after this backup are valid again. Revoke them again.',
  )
}
