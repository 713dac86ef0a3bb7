/** `roost status`: shows whether the gateway runs, its addresses, phones and problems. */
import type { Command } from 'commander'
import { answer, type CommandContext, optionsOf, table } from '#app/command-io.ts'
import { type ListedDevice, listDevices } from '#app/commands/find-device.ts'
import { oneLine } from '#app/commands/one-line.ts'
import { since } from '#app/commands/since.ts'
import { withWriter } from '#app/commands/with-writer.ts'
import type { GatewayAbout } from '#app/control/control-socket.ts'
import { EXIT } from '#app/exit-code.ts'
import { handbookOfProblem } from '#contracts/handbook.ts'
import type { HealthProblem } from '#contracts/health.ts'
import { Problem } from '#domain/problem.ts'
import { count } from '#domain/words.ts'

export function addStatusCommand(program: Command, context: CommandContext): void {
  program
    .command('status')
    .description(
      "show whether the gateway runs, its addresses, phones, today's texts and problems; exit code 1: it " +
        'does not run, or a problem is critical',
    )
    .option('--ready', 'exit code 0 whenever the gateway runs, for the health check of a container')
    .action((_: unknown, command: Command) => printStatus(context, command))
}

/** The state that is printed. `about`: null if no gateway runs, or if it is too old to answer. */
interface Status {
  readonly running: boolean
  readonly dataDir: string
  readonly about: GatewayAbout | null
  readonly devices: readonly Omit<ListedDevice, 'accountId'>[]
  readonly today: { readonly sms: number; readonly twoFactor: number }
  /**
   * Problems of all accounts, the worst first. Empty if no gateway runs: only a running one finds problems.
   */
  readonly problems: readonly HealthProblem[]
  /** Texts that phones reported since the start and that the database does not know. */
  readonly unknownReports: number
}

async function printStatus(context: CommandContext, command: Command): Promise<void> {
  const { io } = context
  const options = optionsOf<{ readonly ready?: boolean }>(command)
  const { readUsageToday } = await import('#app/commands/read-database.ts')
  const status = await withWriter(io, { ...options, mayBeFaulty: true }, async (opened): Promise<Status> => {
    const { writer, config } = opened
    const accounts = await writer.ask('account.list', {})
    const running = writer.gateway !== null
    return {
      running,
      dataDir: config.data_dir,
      about: writer.gateway?.about ?? null,
      devices: (await listDevices(writer, accounts)).map(({ accountId: _, ...phone }) => phone),
      today: readUsageToday(opened, accounts),
      problems: running ? await writer.ask('health.list', { accountId: null }) : [],
      // An older gateway that still runs does not count them.
      unknownReports: running ? ((await writer.ask('gateway.state', {})).unknownReports ?? 0) : 0,
    }
  }).catch((error: unknown) => {
    // A gateway that follows another one in a cluster runs as it should.
    const isFollower = error instanceof Problem && error.details?.leader !== undefined
    if (!isFollower || options.ready !== true) throw error
    answer(io, options, { json: { running: true, leader: error.details.leader }, text: `${error.message}.` })
    return null
  })
  if (status === null) return
  const isCritical = status.problems.some(({ severity }) => severity === 'critical')
  if (!status.running || (isCritical && options.ready !== true)) context.exitCode = EXIT.failed
  const { about, ...rest } = status
  const json = {
    running: rest.running,
    version: about?.version ?? null,
    startedAt: about?.startedAt ?? null,
    url: about?.url ?? null,
    publicUrl: about?.publicUrl ?? null,
    pid: about?.pid ?? null,
    dataDir: rest.dataDir,
    devices: rest.devices,
    today: rest.today,
    problems: rest.problems,
    unknownReports: rest.unknownReports,
  }
  answer(io, options, { json, text: describe(status, Date.now()) })
}

function describe(status: Status, nowMs: number): string {
  const { running, about, dataDir, devices, today } = status
  const codes = count(today.twoFactor, 'code', 'codes')
  const texts = `Today: ${count(today.sms, 'text', 'texts')} accepted, ${codes}.`
  const gateway = running ? describeRunning(about, nowMs) : `The gateway in ${dataDir} is not running.`
  const base = about?.publicUrl ?? ''
  const problems = status.problems.map(problem => describeProblem(problem, { nowMs, base }))
  const unknown = status.unknownReports === 0 ? [] : [unknownReportWords(status.unknownReports)]
  return [gateway, phoneTable(devices), texts, ...unknown, ...problems].join('\n\n')
}

function unknownReportWords(number: number): string {
  const texts = count(number, 'text that is', 'texts that are')
  return `Phones reported ${texts} not in the database: it was restored from a backup, or lost commits.`
}

function describeProblem(
  { code, severity, since: at, message, fix }: HealthProblem,
  { nowMs, base }: { readonly nowMs: number; readonly base: string },
): string {
  const word = severity === 'critical' ? 'CRITICAL' : 'Warning'
  const lines = [`${oneLine(message)}.`, oneLine(fix), `${base}/${handbookOfProblem(code)}`]
  return `${word} ${code}, ${since(at, nowMs)}: ${lines.join('\n  ')}`
}

function describeRunning(about: GatewayAbout | null, nowMs: number): string {
  if (about === null) return 'The gateway runs.'
  const { version, startedAt, pid, publicUrl, url } = about
  return `Roost ${version} runs, started ${since(startedAt, nowMs)} (process ${pid}).
Address: ${publicUrl} (on this machine also ${url})`
}

function phoneTable(devices: Status['devices']): string {
  if (devices.length === 0) return 'No phone is paired. To pair one: roost device pair'
  const rows = devices.map(({ name, status, paused, battery, queueLength, smsToday }) => [
    name,
    paused ? `${status}, paused` : status,
    battery === null ? '-' : `${battery} %`,
    String(queueLength),
    String(smsToday),
  ])
  return table(['PHONE', 'STATUS', 'BATTERY', 'QUEUE', 'TODAY'], rows)
}
