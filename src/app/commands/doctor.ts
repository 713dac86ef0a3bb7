/** `roost doctor`: finds what is wrong with the gateway and its machine, and says how to fix it. */
import type { Command } from 'commander'
import {
  answer,
  type CommandContext,
  type CommandIo,
  type CommonOptions,
  optionsOf,
} from '#app/command-io.ts'
import { actAsOwner } from '#app/commands/act-as-owner.ts'
import { oneLine } from '#app/commands/one-line.ts'
import { publicUrlOf } from '#app/config/public-url.ts'
import { lookAtConfiguration, lookForData } from '#app/doctor/look-at-configuration.ts'
import { EXIT } from '#app/exit-code.ts'
import { VERSION } from '#contracts/version.ts'
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

/** Examines the gateway and its machine. Then this process is the user who owns the data directory. */
export async function lookAround(io: CommandIo, options: CommonOptions) {
  const { loaded, facts: configuration } = lookAtConfiguration({ options, env: io.env, cwd: io.cwd })
  const { path, unreachable } = lookForData(loaded, io.cwd)
  // Loaded before switching users, because the other user may not be allowed to read the program.
  const [{ lookAtMachine }, { examine }, { handbookOfFinding }] = await Promise.all([
    import('#app/doctor/look-at-machine.ts'),
    import('#domain/doctor/examine.ts'),
    import('#domain/doctor/handbook-of-finding.ts'),
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
  return { loaded, configuration, path, facts, findings: examine(facts, problems), handbookOfFinding }
}

async function diagnose(context: CommandContext, command: Command): Promise<void> {
  const { io } = context
  const options = optionsOf(command)
  const { loaded, configuration, path, facts, findings, handbookOfFinding } = await lookAround(io, options)
  const countOf = (severity: CheckSeverity) => findings.filter(one => one.severity === severity).length
  if (countOf('critical') > 0) context.exitCode = EXIT.failed
  const width = Math.max(...Object.values(WORDS).map(word => word.length))
  // Without a running gateway, a person has the handbook as a file.
  const address = (section: string) =>
    facts.gateway.running === null
      ? `GUIDE.md#${section.replace(/^handbook\/|#.*$/g, '')}`
      : `${publicUrlOf(loaded.config)}/${section}`
  const lines = findings.map(({ severity, code, message, fix }) => {
    const section = severity === 'ok' ? null : handbookOfFinding(code)
    const more = [fix, section === null ? null : address(section)].filter(one => one !== null)
    const lines = more.map(one => `\n${' '.repeat(width)} ${oneLine(one)}`)
    return `${WORDS[severity].padEnd(width)} ${code}: ${oneLine(message)}.${lines.join('')}`
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
