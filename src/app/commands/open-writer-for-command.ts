/**
 * The writer for a command: that of the running gateway or, if none runs, one that the command opens itself.
 * The lock of the data directory ensures that there is only one writer.
 */

import { statSync } from 'node:fs'
import { systemNow } from '#app/clock.ts'
import { publicUrlOf } from '#app/config/public-url.ts'
import { settingsWithAuthority } from '#app/config/settings.ts'
import { connectControl } from '#app/control/control-client.ts'
import type { GatewayAbout } from '#app/control/control-socket.ts'
import { reachOrHold } from '#app/hold-data-directory.ts'
import type { CommandInput, CommandName, CommandOutput, Writer } from '#contracts/commands.ts'
import type { Config } from '#contracts/config.ts'
import { COMMAND_LINE } from '#contracts/user.ts'
import { causeOf } from '#domain/cause.ts'
import { Problem } from '#domain/problem.ts'
import { count } from '#domain/words.ts'
import { unpackSecrets } from '#storage/backup.ts'
import { refuseEmptied } from '#storage/commit-loss.ts'
import { type DataDirectory, dataDirectory } from '#storage/data-directory.ts'
import { openStorage, type Storage } from '#storage/open-storage.ts'
import { loadSecret } from '#storage/secret-file.ts'
import { systemSource } from '#storage/source.ts'

export interface CommandWriter extends Writer {
  readonly directory: DataDirectory
  /** The running gateway; null: none runs. */
  readonly gateway: RunningGateway | null
  close(): void
}

/** `about` is null if the gateway is too old to answer `about()`. */
export interface RunningGateway {
  readonly about: GatewayAbout | null
}

export interface OpenWriterOptions {
  readonly config: Config
  /** Prints a sentence for the person who typed the command. */
  readonly tell: (sentence: string) => void
}

/** @throws DataDirectoryHeld when the process that holds the lock does not answer */
export async function openWriterForCommand({ config, tell }: OpenWriterOptions): Promise<CommandWriter> {
  const directory = dataDirectory(config.data_dir)
  const held = await reachOrHold(directory, () =>
    connectControl(directory.controlSocket, statSync(directory.path).uid),
  )
  if ('reached' in held) {
    const client = held.reached
    const gateway = { about: await client.about() }
    return { directory, gateway, ask: (name, input) => client.ask(name, input), close: () => client.close() }
  }
  try {
    return new OwnWriter(directory, openOwnStorage(directory, { config, tell }), held.lock)
  } catch (error) {
    held.lock.release()
    throw error
  }
}

function openOwnStorage(directory: DataDirectory, { config, tell }: OpenWriterOptions): Storage {
  refuseEmptied(directory)
  unpackSecrets(directory)
  const storage = openStorage(directory, {
    settings: settingsWithAuthority(config, publicUrlOf(config)),
    source: systemSource(loadSecret(directory.codeKey)),
    now: systemNow,
    migrating: ({ step, steps, percent }) =>
      tell(`Bringing the database up to date: step ${step} of ${steps}, ${percent} %`),
    faulted: error => tell(`fault: ${causeOf(error)}`),
  })
  // No phone can connect to a command, so no message is offered.
  storage.batch.stopping = true
  if (storage.lost !== null)
    tell(
      `The database lost its newest commits (${storage.lost.commits}). ` +
        `${describeEnded(storage.lost.messages)}. All account tokens ended.`,
    )
  if (storage.copied !== null)
    tell(`The database is a copy. ${describeEnded(storage.copied)}: the original may have sent them.`)
  return storage
}

class OwnWriter implements CommandWriter {
  readonly directory: DataDirectory
  readonly gateway = null
  readonly #storage: Storage
  readonly #lock: { release(): void }

  constructor(directory: DataDirectory, storage: Storage, lock: { release(): void }) {
    this.directory = directory
    this.#storage = storage
    this.#lock = lock
  }

  async ask<N extends CommandName>(name: N, input: CommandInput<N>): Promise<CommandOutput<N>> {
    const [answer] = this.#storage.batch.run([{ id: 0, name, input, by: COMMAND_LINE }]).answers
    if (answer === undefined) throw new Error(`the writer did not answer ${name}`)
    if (!answer.ok) throw Problem.from(answer.problem)
    return answer.output as CommandOutput<N>
  }

  close(): void {
    try {
      this.#storage.close()
    } finally {
      this.#lock.release()
    }
  }
}

function describeEnded(messages: number): string {
  const open = count(messages, 'open message', 'open messages')
  return `${open} ended as OUTCOME_UNKNOWN and will not be sent again`
}
