import type { Command } from 'commander'
import { type CommandContext, optionsOf } from '#app/command-io.ts'
import { loadConfig } from '#app/config/config-file.ts'

/** A command that was called, and the context in which it runs. */
export interface Invocation {
  readonly context: CommandContext
  readonly command: Command
}

/** Reads the command's options and loads the configuration that they name. @throws ConfigFault */
export function loadForCommand({ context: { io }, command }: Invocation) {
  const options = optionsOf(command)
  return { io, options, loaded: loadConfig({ options, env: io.env, cwd: io.cwd }) }
}
