/** `roost agent`: this computer, or a phone with Termux, as a device of a gateway. */
import { existsSync } from 'node:fs'
import type { Command } from 'commander'
import type { AgentFlags } from '#agent/options.ts'
import { type CommandContext, type CommonOptions, optionsOf, tell } from '#app/command-io.ts'
import { printableLine } from '#contracts/printable.ts'
import { Problem } from '#domain/problem.ts'

export function addAgentCommand(program: Command, context: CommandContext): void {
  program
    .command('agent')
    .description('turn this computer or a Termux phone into a device, until SIGTERM, SIGINT or SIGHUP')
    .option(
      '--server <url>',
      'the gateway to pair with, or a pairing address (default: the gateway found on this network)',
    )
    .option('--code <code>', 'pairing code, from: roost device pair')
    .option(
      '--authority <fingerprint>',
      "trust only the gateway's own authority: its SHA-256, from: roost certificate show",
    )
    .option(
      '--state <file>',
      'file with the identity of this device (default: ./roost-agent.json); a device that is in this file ' +
        'already needs no --code',
    )
    .option('--name <name>', "what the device is called (default: the phone's model, or this host's name)")
    .option(
      '--driver <driver>',
      'log: print messages; exec: run a command for each; termux: Termux:API; smsgate: SMSGate on the LAN',
    )
    .option(
      '--exec <command>',
      'with exec: the command, run by sh -c; exit code 0: sent, 75: try again, 70: not known, else not sent',
    )
    .option(
      '--exec-lookup <command>',
      'with exec: command that says after a crash whether a message was sent (exit code 0) or not (1)',
    )
    .option('--phone <url>', "with smsgate: address of the phone's local server, as the app shows it")
    .option('--username <name>', 'with smsgate: user name of the local server (default: sms)')
    .option(
      '--password-file <file>',
      'with smsgate: file whose first line is the password (default: ROOST_PHONE_PASSWORD, or it asks)',
    )
    .option('--exit-0-is-delivered', 'with exec: exit code 0 means delivered, not only sent')
    .action((_: unknown, command: Command) => runDevice(context, command))
}

/**
 * Adds the address of the gateway found on the network, if `--code` was given without `--server`. A device
 * that is paired already needs neither.
 */
async function withServer(io: CommandContext['io'], flags: AgentFlags): Promise<AgentFlags> {
  if (flags.code === undefined || flags.server !== undefined) return flags
  const { STATE_FILE_DEFAULT } = await import('#agent/options.ts')
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
  const read = readAgentOptions(await withServer(io, optionsOf<AgentFlags>(command)))
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
