/** The command line: runs the command that the arguments name. */
import { Command } from 'commander'
import { type CommandContext, type CommandIo, printSafely } from '#app/command-io.ts'
import { addAccountCommands } from '#app/commands/account.ts'
import { addAgentCommand } from '#app/commands/agent.ts'
import { addAlarmCommands } from '#app/commands/alarm.ts'
import { addBackupCommand } from '#app/commands/backup.ts'
import { addCertificateCommands } from '#app/commands/certificate.ts'
import { addCheckConfigCommand } from '#app/commands/check-config.ts'
import { addClockCommands } from '#app/commands/clock.ts'
import { addClusterCommands } from '#app/commands/cluster.ts'
import { addCompletionCommand } from '#app/commands/completion.ts'
import { addDemoCommand } from '#app/commands/demo.ts'
import { addDeviceCommands } from '#app/commands/device.ts'
import { addDoctorCommand } from '#app/commands/doctor.ts'
import { addForwardCommands } from '#app/commands/forward.ts'
import { addGroupCommands } from '#app/commands/group.ts'
import { addHelpCommand } from '#app/commands/help.ts'
import { addIncidentCommands } from '#app/commands/incident.ts'
import { addKeyCommands } from '#app/commands/key.ts'
import { addMessageCommands } from '#app/commands/message.ts'
import { addOptOutCommands } from '#app/commands/opt-out.ts'
import { addOnCallCommand, addPersonCommands } from '#app/commands/person.ts'
import { addReceivedCommands } from '#app/commands/received.ts'
import { addReportCommand } from '#app/commands/report.ts'
import { reportFailure } from '#app/commands/report-failure.ts'
import { addRestoreCommand } from '#app/commands/restore.ts'
import { addSendCommand } from '#app/commands/send.ts'
import { addServeCommand } from '#app/commands/serve.ts'
import { addServiceCommands } from '#app/commands/service.ts'
import { addSetupLinkCommand } from '#app/commands/setup-link.ts'
import { addStatusCommand } from '#app/commands/status.ts'
import { addTokenCommand } from '#app/commands/token.ts'
import { addUserCommands } from '#app/commands/user.ts'
import { addVersionCommand } from '#app/commands/version.ts'
import { addWebhookCommands } from '#app/commands/webhook.ts'
import { EXIT } from '#app/exit-code.ts'
import { VERSION } from '#contracts/version.ts'

/** Runs one command line; `args` has no program name. Returns the exit code. */
export async function runCommand(args: readonly string[], io: CommandIo): Promise<number> {
  const context: CommandContext = { io: printSafely(io), canvas: io.stderr, exitCode: EXIT.ok }
  try {
    await buildProgram(context).parseAsync(args, { from: 'user' })
    return context.exitCode
  } catch (error) {
    return reportFailure(context.io, error, args.includes('--json'))
  }
}

/** Defines all commands. Manual pages are made from these definitions, too. */
export function buildProgram(context: CommandContext): Command {
  const { io } = context
  const program = new Command('roost')
    .description('An SMS gateway in one file: your own phones send the text messages.')
    .version(VERSION, '-V, --version', 'print the version')
    .option(
      '--config <file>',
      'configuration file (default: ./config.toml or else /etc/roost/config.toml, if it exists)',
    )
    .option('--data <dir>', 'data directory, instead of the configured one')
    .option('--json', 'print the answer as one JSON object to standard output')
    .helpCommand(false)
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({ writeOut: text => io.stdout.write(text), writeErr: text => io.stderr.write(text) })
    .showHelpAfterError('Add --help to see how to use the command.')
    .exitOverride()
  addServeCommand(program, context)
  addDemoCommand(program, context)
  addAccountCommands(program, context)
  addUserCommands(program, context)
  addKeyCommands(program, context)
  addTokenCommand(program, context)
  addDeviceCommands(program, context)
  addAgentCommand(program, context)
  addSendCommand(program, context)
  addMessageCommands(program, context)
  addReceivedCommands(program, context)
  addOptOutCommands(program, context)
  addWebhookCommands(program, context)
  addPersonCommands(program, context)
  addForwardCommands(program, context)
  addGroupCommands(program, context)
  addOnCallCommand(program, context)
  addIncidentCommands(program, context)
  addStatusCommand(program, context)
  addDoctorCommand(program, context)
  addReportCommand(program, context)
  addAlarmCommands(program, context)
  addClockCommands(program, context)
  addClusterCommands(program, context)
  addBackupCommand(program, context)
  addRestoreCommand(program, context)
  addSetupLinkCommand(program, context)
  addServiceCommands(program, context)
  addCertificateCommands(program, context)
  addCheckConfigCommand(program, context)
  addVersionCommand(program, context)
  addCompletionCommand(program, context)
  addHelpCommand(program)
  return program
}
