/** Gathers everything that `roost doctor` examines. Repairs nothing, and writes only to measure the disk. */
import { resolve } from 'node:path'
import { withOwnCertificate } from '#app/certificate/own-certificate.ts'
import { withStoredChoices } from '#app/config/stored-choices.ts'
import { lookAtCertificate } from '#app/doctor/look-at-certificate.ts'
import { lookAtDatabase, lookAtDisk, lookAtPermissions, measureDisk } from '#app/doctor/look-at-data.ts'
import { lookAtGateway } from '#app/doctor/look-at-gateway.ts'
import { lookAtCards, lookAtClock, lookAtMemory } from '#app/doctor/look-at-hardware.ts'
import { lookAtModems } from '#app/doctor/look-at-modems.ts'
import { lookAtBroker, lookAtNetwork, lookAtPorts } from '#app/doctor/look-at-network.ts'
import { readMachine } from '#app/health/read-machine.ts'
import { SERVICE_CONFIG, SERVICE_DATA_DIR } from '#app/service/service-files.ts'
import { ServiceInstallation, type ServicePorts } from '#app/service/service-installation.ts'
import { findNewestBackup } from '#app/threads/find-newest-backup.ts'
import type { Config } from '#contracts/config.ts'
import type { HealthProblem } from '#contracts/health.ts'
import { VERSION } from '#contracts/version.ts'
import { lastDueAt } from '#domain/backup/backup-schedule.ts'
import { messageOf } from '#domain/cause.ts'
import type {
  ConfigurationFacts,
  DoctorFacts,
  Fact,
  GatewayProcessFacts,
  ServiceFacts,
} from '#domain/doctor/facts.ts'
import { findGatewayProblems } from '#domain/health/find-problems.ts'
import { Problem } from '#domain/problem.ts'
import { instant } from '#domain/time.ts'
import { type DataDirectory, dataDirectory } from '#storage/data-directory.ts'
import { readStoredNumbers } from '#storage/stored-numbers.ts'

/** What the caller knows before the checks. */
export interface MachineQuestion {
  readonly config: Config
  readonly configuration: ConfigurationFacts
  /** Null: there is none, or the user may not read it; `unreachable` says why. */
  readonly dataDir: string | null
  readonly unreachable: GatewayProcessFacts['unreachable']
  readonly cwd: string
  readonly program: readonly string[]
  readonly uid: number
  readonly now: number
}

export interface SeenMachine {
  readonly facts: DoctorFacts
  readonly problems: readonly HealthProblem[]
}

export async function lookAtMachine(question: MachineQuestion): Promise<SeenMachine> {
  const { dataDir, unreachable, cwd, now } = question
  const directory = dataDirectory(dataDir ?? resolve(cwd, question.config.data_dir))
  const config = withStoredChoices(withOwnCertificate({ ...question.config, data_dir: directory.path }))
  const { state, problems } =
    dataDir === null
      ? { state: { running: null, holder: null, ownVersion: VERSION, unreachable }, problems: [] }
      : await lookAtGateway(directory)
  const { running } = state
  const pid = running?.pid ?? null
  const inData = <T>(what: string, read: () => T): Fact<T> =>
    dataDir === null
      ? { unreadable: `${what} cannot be examined without a data directory` }
      : tryTo(what, read)
  const configFile = question.configuration.file
  const service = { machine: question, dataDir: directory.path, configFile, pid }
  const { backup } = config
  const database = dataDir === null ? null : tryTo('The database', () => lookAtDatabase(directory))
  const facts: DoctorFacts = {
    now,
    configuration: question.configuration,
    gateway: state,
    service: lookAtService(service),
    ports: await lookAtPorts(config).catch(unreadable('The ports')),
    permissions: inData('Permissions', () => lookAtPermissions(directory)),
    disk: inData('The disk', () => lookAtDisk(directory)),
    diskSpeed: inData('The speed of the disk', () => measureDisk(directory)),
    database,
    numbers: numbersIn(directory, database),
    cards: lookAtCards(),
    backup: {
      dir: backup.dir,
      places: [backup.dir, backup.second_dir]
        .filter(dir => dir !== '')
        .map(dir => resolve(cwd, dir))
        .map(dir => ({ dir, newestAt: findNewestBackup(dir) })),
      dueAt: lastDueAt(now, backup.at),
    },
    certificate: lookAtCertificate(config, directory),
    clock: lookAtClock({ now, running }),
    memory: lookAtMemory(pid),
    broker: await lookAtBroker(config).catch(unreadable('The broker')),
    modems: await lookAtModems(config, directory).catch(unreadable('Modems')),
    discovery: await lookAtNetwork(config, running?.port ?? null).catch(unreadable('The network')),
  }
  return { facts, problems: withOwnFindings(problems, { config, database, now }) }
}

/** Null: there is no database, or it cannot be read, which another finding says. */
function numbersIn({ database: file }: DataDirectory, database: DoctorFacts['database']) {
  if (database === null || !('damage' in database) || database.damage !== null) return null
  return tryTo('Stored numbers', () => readStoredNumbers(file))
}

interface SeenHere extends Pick<DoctorFacts, 'database' | 'now'> {
  readonly config: Config
}

/**
 * Adds the problems that the health rules find in facts that are read just now. The facts of a running
 * gateway may be a minute old, and without a running gateway there are none.
 */
function withOwnFindings(problems: readonly HealthProblem[], seen: SeenHere): HealthProblem[] {
  const { config, database, now } = seen
  const cause = database !== null && 'damage' in database ? database.damage : null
  const damage = cause === null ? null : { foundAt: now, cause }
  const unknown = {
    backup: null,
    cluster: null,
    damage,
    diskFullSince: null,
    lost: null,
    commitMs: null,
    mailRefusedSince: null,
    clock: { behindMs: 0, aheadMs: 0, jump: null },
  }
  const own = findGatewayProblems({ now, ...unknown, ...readMachine(config) })
  const reported = new Set(problems.map(({ code }) => code))
  // A full disk need not be reported as nearly full, too.
  if (reported.has('DISK_FULL')) reported.add('DISK_NEARLY_FULL')
  const more = own.filter(({ code }) => !reported.has(code))
  return [...problems, ...more.map(finding => ({ ...finding, since: instant(finding.since ?? now) }))]
}

function tryTo<T>(what: string, read: () => T): Fact<T> {
  try {
    return read()
  } catch (error) {
    return unreadable(what)(error)
  }
}

function unreadable(what: string): (error: unknown) => { readonly unreadable: string } {
  return error => ({ unreadable: `${what} cannot be examined: ${messageOf(error)}` })
}

interface ServiceQuestion {
  readonly machine: ServicePorts
  readonly dataDir: string
  readonly configFile: string | null
  /** Process id of the running gateway; null: none runs. */
  readonly pid: number | null
}

/** Asks systemd about the service. Null: systemd does not run on this machine. */
function lookAtService({ machine, dataDir, configFile, pid }: ServiceQuestion): Fact<ServiceFacts> | null {
  const installation = new ServiceInstallation(machine)
  if (!installation.hasSystemd()) return null
  try {
    const { state, watchdog, unit: _, ...facts } = installation.state()
    // systemd restarts a gateway that has ended, so the state is rarely `failed`.
    const failed = state.startsWith('failed') || state === 'activating (auto-restart)'
    const isOurs = dataDir === SERVICE_DATA_DIR || configFile === SERVICE_CONFIG || facts.pid === pid
    return { ...facts, failed, hasWatchdog: watchdog, isOurs }
  } catch (error) {
    if (error instanceof Problem) return { unreadable: `The service cannot be examined: ${error.message}` }
    throw error
  }
}
