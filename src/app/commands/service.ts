/** `roost service`: installs, removes and shows Roost as a systemd service. */
import type { Command } from 'commander'
import { answer, type CommandContext, optionsOf } from '#app/command-io.ts'
import { EXIT } from '#app/exit-code.ts'
import { unitText } from '#app/service/service-files.ts'
import { ServiceInstallation, type ServiceState } from '#app/service/service-installation.ts'
import { count } from '#domain/words.ts'

interface InstallOptions {
  readonly print?: boolean
}

export function addServiceCommands(program: Command, context: CommandContext): void {
  const { io } = context
  const installation = () => new ServiceInstallation({ program: io.program, uid: io.user.uid })
  const service = program.command('service').description('Roost as a systemd service')
  service
    .command('install')
    .description('make user, unit and configuration, and start the service now and at each boot')
    .option('--print', 'print the unit and change nothing')
    .action((_: unknown, command: Command) => {
      const options = optionsOf<InstallOptions>(command)
      if (options.print === true) {
        const text = unitText(io.program)
        return answer(io, options, { json: { unit: text }, text: text.trimEnd() })
      }
      const files = installation().install()
      const note = 'The service runs. Its log: journalctl -u roost. Next: roost setup-link'
      answer(io, options, { json: files, text: `Installed ${files.unit}`, note })
    })
  service
    .command('remove')
    .description('stop the service and remove its unit; data and configuration stay')
    .action((_: unknown, command: Command) => {
      const removed = installation().remove()
      const note = `Kept: ${removed.kept.join(', ')}. Delete them to remove everything.`
      answer(io, optionsOf(command), { json: removed, text: 'Removed the service.', note })
    })
  service
    .command('status')
    .description('show whether the service is installed and running; exit code 1: it is not running')
    .action((_: unknown, command: Command) => {
      const state = installation().state()
      if (!state.running) context.exitCode = EXIT.failed
      answer(io, optionsOf(command), { json: state, text: describe(state) })
    })
}

function describe(state: ServiceState): string {
  if (!state.installed) return 'The service is not installed. To install it: sudo roost service install'
  const start = state.enabled ? 'starts at boot' : 'does not start at boot'
  const lines = [`The service is ${state.state}, ${start} (${state.unit}).`]
  if (state.status !== '') lines.push(state.status)
  if (state.restarts > 0)
    lines.push(`systemd restarted it ${count(state.restarts, 'time', 'times')}. Its log: journalctl -u roost`)
  if (!state.running) lines.push('To start it: sudo systemctl start roost')
  return lines.join('\n')
}
