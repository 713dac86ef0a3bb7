import type { Command } from 'commander'
import { type CommandContext, optionsOf } from '#app/command-io.ts'
import { loadConfig } from '#app/config/config-file.ts'

/** What a command is called with. */
export interface Called {
  readonly context: CommandContext
  readonly command: Command
}

/** The options of a command, and the configuration they lead to. @throws Problem with each fault of it */
export function loadForCommand({ context: { io }, command }: Called) {
  const options = optionsOf(command)
  return { io, options, loaded: loadConfig({ options, env: io.env, cwd: io.cwd }) }
}
