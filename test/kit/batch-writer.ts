import { setImmediate } from 'node:timers/promises'
import type { CommandInput, CommandName, CommandOutput, Writer } from '#contracts/commands.ts'
import { TestWorld } from '#test/kit/world.ts'

/** A writer on a database in memory. It answers asynchronously, as a thread does. */
export class BatchWriter implements Writer {
  readonly world = new TestWorld()
  /** The names of all commands, in order. */
  readonly asked: string[] = []

  async ask<N extends CommandName>(name: N, input: CommandInput<N>): Promise<CommandOutput<N>> {
    this.asked.push(name)
    await setImmediate()
    return this.world.ask(name, input)
  }
}
