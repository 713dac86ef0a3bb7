import type { Command } from 'commander'
import { type CommandContext, optionsOf } from '#app/command-io.ts'
import { loadConfig } from '#app/config/config-file.ts'

/** A command as it was called. */
export interface Called {
  readonly context: CommandContext
  readonly command: Command
}

/** The command's options, and the configuration loaded according to them. @throws ConfigFault */
export function loadForCommand({ context: { io }, command }: Called) {
  const options = optionsOf(command)
  return { io, options, loaded: loadConfig({ options, env: io.env, cwd: io.cwd }) }
}
