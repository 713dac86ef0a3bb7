/** `roost agent`: this computer, or a phone with Termux, as a device of a gateway. */
import { existsSync } from 'node:fs'
import type { Command } from 'commander'
import { AGENT_FLAGS, STATE_FILE_DEFAULT } from '#agent/flags.ts'
import type { AgentFlags } from '#agent/options.ts'
import { type CommandContext, type CommonOptions, optionsOf, tell } from '#app/command-io.ts'
import { printableLine } from '#contracts/printable.ts'
import { Problem } from '#domain/problem.ts'

export function addAgentCommand(program: Command, context: CommandContext): void {
  const agent = program
    .command('agent')
    .description('turn this computer or a Termux phone into a device, until SIGTERM, SIGINT or SIGHUP')
    .action((_: unknown, command: Command) => runDevice(context, command))
  for (const [name, { value, brief }] of Object.entries(AGENT_FLAGS))
    agent.option(`--${name}${value === null ? '' : ` <${value.toLowerCase()}>`}`, brief)
}

/** The flags by the names of the table, which commander writes in camel case. */
function flagsOf(command: Command): AgentFlags {
  const given = command.options.map(one => [one.name(), command.getOptionValue(one.attributeName())])
  return Object.fromEntries(given) as AgentFlags
}

/**
 * Adds the address of the gateway found on the network, if `--code` was given without `--server`. A device
 * that is paired already needs neither.
 */
async function withServer(io: CommandContext['io'], flags: AgentFlags): Promise<AgentFlags> {
  if (flags.code === undefined || flags.server !== undefined) return flags
  const stateFile = flags.state ?? STATE_FILE_DEFAULT
  if (existsSync(stateFile)) {
    tell(io, `${stateFile} is paired already, so --code is ignored.`)
    return { ...flags, code: undefined }
  }
  const { findGateway } = await import('#app/discovery/find-gateway.ts')
  tell(io, 'Looking for a gateway on this network …')
  const { name, url } = await findGateway()
  tell(io, `Found ${name} at ${url}`)
  return { ...flags, server: url }
}

async function runDevice(context: CommandContext, command: Command): Promise<void> {
  const { io } = context
  const { readAgentOptions } = await import('#agent/options.ts')
  const read = readAgentOptions(await withServer(io, flagsOf(command)))
  if (read.kind === 'wrong') throw new Problem('INVALID_REQUEST', read.message)
  const { askPassword } = await import('#agent/ask-password.ts')
  const { runAgent } = await import('#agent/run-agent.ts')
  let failure: Problem | null = null
  const fail = ({ message }: Error) => {
    failure = new Problem('CONFLICT', message)
  }
  context.exitCode = await runAgent(read.options, {
    log: line => tell(io, printableLine(line)),
    fail,
    print: line => io.stdout.write(`${line}\n`),
    isTerminal: io.stdout.isTTY === true && optionsOf<CommonOptions>(command).json !== true,
    signal: io.stopSignal(),
    env: io.env,
    askPassword: question => askPassword(io.stdin, io.stderr, question),
    program: [...io.program, 'agent'],
  })
  if (failure !== null) throw failure
}
