/**
 * The writer for a command: that of the running gateway or, if none runs, one that the command opens itself.
 * The lock of the data directory ensures that there is only one writer.
 */

import { statSync } from 'node:fs'
import { openOwnStorage } from '#app/commands/open-own-storage.ts'
import { connectControl } from '#app/control/control-client.ts'
import type { GatewayAbout } from '#app/control/control-socket.ts'
import { reachOrHold } from '#app/hold-data-directory.ts'
import type { CommandInput, CommandName, CommandOutput, Writer } from '#contracts/commands.ts'
import type { Config } from '#contracts/config.ts'

import { COMMAND_LINE } from '#contracts/user.ts'

import { Problem } from '#domain/problem.ts'
import { type DataDirectory, dataDirectory } from '#storage/data-directory.ts'
import type { Storage } from '#storage/open-storage.ts'

export interface CommandWriter extends Writer {
  readonly directory: DataDirectory
  /** The running gateway; null: none runs. */
  readonly gateway: RunningGateway | null
  /** Resolves once the other members of the cluster, if there is one, can read new secrets. */
  shareSecrets(): Promise<void>
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
    return {
      directory,
      gateway,
      ask: (name, input) => client.ask(name, input),
      async shareSecrets() {
        if (config.cluster.etcd.length > 0) await client.askCluster({ do: 'share-secrets' })
      },
      close: () => client.close(),
    }
  }
  try {
    return new OwnWriter(directory, openOwnStorage(directory, { config, tell }), held.lock)
  } catch (error) {
    held.lock.release()
    throw error
  }
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

  /** This writer opens no copy of a cluster. */
  async shareSecrets(): Promise<void> {}

  close(): void {
    try {
      this.#storage.close()
    } finally {
      this.#lock.release()
    }
  }
}
