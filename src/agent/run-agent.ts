/** Runs the agent: pairs the device, recovers the journal, stays connected, stops cleanly. */
import { randomUUID } from 'node:crypto'
import { AgentError, reasonOf } from '#agent/agent-error.ts'
import { type Clock, systemClock } from '#agent/clock.ts'
import type { Driver } from '#agent/drivers/driver.ts'
import { execDriver } from '#agent/drivers/exec/exec-driver.ts'
import { logDriver } from '#agent/drivers/log/log-driver.ts'
import { openPhoneRecord } from '#agent/drivers/smsgate/phone-record.ts'
import { readPhonePassword } from '#agent/drivers/smsgate/read-phone-password.ts'
import { smsgateDriver } from '#agent/drivers/smsgate/smsgate-driver.ts'
import { keepTermuxRunning } from '#agent/drivers/termux/keep-termux-running.ts'
import { termuxDriver } from '#agent/drivers/termux/termux-driver.ts'
import { findIdentity, platformOf } from '#agent/find-identity.ts'
import { Health } from '#agent/health.ts'
import { statePaths } from '#agent/identity.ts'
import { Journal } from '#agent/journal.ts'
import { takeLock } from '#agent/lock.ts'
import type { AgentOptions } from '#agent/options.ts'
import { recoverJournal } from '#agent/recover-journal.ts'
import type { SessionInput } from '#agent/session/session.ts'
import { stayConnected } from '#agent/stay-connected.ts'
import { VERSION } from '#contracts/version.ts'

export interface AgentIo {
  /** Prints a line for people, given without its line end, on standard error. */
  readonly log: (line: string) => void
  /**
   * Called once with the reason why the agent cannot continue. Without it the reason goes to `log`. So does a
   * fault of the agent itself.
   */
  readonly fail?: (reason: AgentError) => void
  /** Prints a line of data, given without its line end, on standard output. */
  readonly print: (line: string) => void
  /** Whether `print` prints on a terminal. Default: it does not. */
  readonly isTerminal?: boolean
  /** Aborts on SIGTERM, SIGINT and SIGHUP. */
  readonly signal: AbortSignal
  /** Environment of the commands that drivers run. */
  readonly env: NodeJS.ProcessEnv
  /** Asks the person at the terminal, or reads a line from standard input. */
  readonly askPassword: (question: string) => Promise<string>
  /** The command that starts this agent, without options. The boot script of Termux contains it. */
  readonly program: readonly string[]
  readonly clock?: Clock
  /** Returns a number from 0 to 1, for the back-off. */
  readonly random?: () => number
  /** Replaces the driver that the options name. */
  readonly driver?: Driver
  /** Replaces the identity in the state file. */
  readonly identity?: SessionInput['identity']
}

/** Runs until the signal aborts or the agent cannot continue. Returns the exit code. */
export async function runAgent(options: AgentOptions, io: AgentIo): Promise<number> {
  const clock = io.clock ?? systemClock
  const paths = statePaths(options.stateFile)
  let releaseLock: (() => void) | null = null
  let isPaired = false
  try {
    releaseLock = takeLock(paths.lock)
    const driver = io.driver ?? (await driverOf(options, { clock, io }))
    const health = new Health({ driver, clock, log: io.log, stop: io.signal })
    const identity =
      io.identity ?? (await findIdentity(options, { clock, signal: io.signal, health, driver, log: io.log }))
    isPaired = true
    const gateway = `${identity.gatewayName ?? ''} ${identity.socketUrl}`.trim()
    io.log(`Device ${identity.deviceId} (${identity.name}), gateway ${gateway}`)
    if (options.driver === 'termux') {
      const start = { program: io.program, stateFile: options.stateFile, env: io.env }
      for (const line of await keepTermuxRunning(clock, start)) io.log(line)
    }
    const journal = Journal.open(paths.journal)
    try {
      await recoverJournal({ journal, driver, clock, log: io.log }, io.signal)
      const session = {
        identity,
        bootId: randomUUID(),
        appVersion: VERSION,
        platform: platformOf(options),
        driver: options.driver,
      }
      const random = io.random ?? Math.random
      await stayConnected({ journal, driver, health, clock, log: io.log, random, stop: io.signal }, session)
    } finally {
      journal.close()
    }
    io.log('Stopped.')
    return 0
  } catch (error) {
    // If the agent was stopped while it paired, the error is only the aborted call.
    const isStopped = io.signal.aborted && !isPaired
    if (error instanceof AgentError && io.fail !== undefined && !isStopped) io.fail(error)
    else io.log(error instanceof AgentError ? error.message : `Internal error: ${reasonOf(error)}`)
    return isStopped ? 0 : 1
  } finally {
    releaseLock?.()
  }
}

async function driverOf(
  options: AgentOptions,
  { clock, io }: { clock: Clock; io: AgentIo },
): Promise<Driver> {
  switch (options.driver) {
    case 'log':
      return logDriver(io.print, io.isTerminal ?? false)
    case 'termux':
      return termuxDriver(clock, io.env)
    case 'smsgate': {
      if (options.phone === null) throw new AgentError('--driver smsgate needs --phone URL.')
      const { url, username } = options.phone
      const password = await readPhonePassword(options.phone, io)
      const record = openPhoneRecord(statePaths(options.stateFile).phoneRecord)
      return smsgateDriver({ clock, access: { url, username, password }, record, log: io.log })
    }
    case 'exec': {
      const { exec, execLookUp, exitZeroIsDelivered } = options
      if (exec === null) throw new AgentError('--driver exec needs --exec COMMAND.')
      return execDriver(clock, {
        command: exec,
        lookUpCommand: execLookUp,
        exitZeroIsDelivered,
        env: io.env,
      })
    }
  }
}
