/** `roost doctor`: finds what is wrong with the gateway and its machine, and says how to fix it. */
import type { Command } from 'commander'
import { answer, type CommandContext, optionsOf } from '#app/command-io.ts'
import { actAsOwner } from '#app/commands/act-as-owner.ts'
import { lookAtConfiguration, lookForData } from '#app/doctor/look-at-configuration.ts'
import { EXIT } from '#app/exit-code.ts'
import { VERSION } from '#app/version.ts'
import type { CheckSeverity } from '#domain/doctor/facts.ts'

export function addDoctorCommand(program: Command, context: CommandContext): void {
  program
    .command('doctor')
    .description(
      'check the gateway and its machine, and say what is wrong and how to fix it; exit code 1: a finding ' +
        'is critical',
    )
    .action((_: unknown, command: Command) => diagnose(context, command))
}

const WORDS: Readonly<Record<CheckSeverity, string>> = {
  critical: 'CRITICAL',
  warning: 'Warning',
  unknown: 'Unknown',
  ok: 'ok',
}

async function diagnose(context: CommandContext, command: Command): Promise<void> {
  const { io } = context
  const options = optionsOf(command)
  const { loaded, facts: configuration } = lookAtConfiguration({ options, env: io.env, cwd: io.cwd })
  const { path, unreachable } = lookForData(loaded, io.cwd)
  // Loaded before switching users, because the other user may not be allowed to read the program.
  const [{ lookAtMachine }, { examine }] = await Promise.all([
    import('#app/doctor/look-at-machine.ts'),
    import('#domain/doctor/examine.ts'),
  ])
  if (path !== null) actAsOwner(path, io.user)
  const { facts, problems } = await lookAtMachine({
    config: loaded.config,
    configuration,
    dataDir: path,
    unreachable,
    cwd: io.cwd,
    program: io.program,
    uid: io.user.uid,
    now: Date.now(),
  })
  const findings = examine(facts, problems)
  const countOf = (severity: CheckSeverity) => findings.filter(one => one.severity === severity).length
  if (countOf('critical') > 0) context.exitCode = EXIT.failed
  const width = Math.max(...Object.values(WORDS).map(word => word.length))
  const lines = findings.map(({ severity, code, message, fix }) => {
    const line = `${WORDS[severity].padEnd(width)} ${code}: ${message}.`
    return fix === null ? line : `${line}\n${' '.repeat(width)} ${fix}`
  })
  const summary =
    `Critical: ${countOf('critical')}. Warnings: ${countOf('warning')}. ` +
    `Unknown: ${countOf('unknown')}. OK: ${countOf('ok')}.`
  answer(io, options, {
    json: {
      ok: countOf('critical') === 0,
      version: VERSION,
      running: facts.gateway.running !== null,
      dataDir: path,
      configFile: configuration.file,
      findings,
    },
    text: `${lines.join('\n')}\n\n${summary}`,
  })
}
