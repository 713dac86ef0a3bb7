/** Runs the agent: pairs the device, recovers the journal, stays connected, stops cleanly. */
import { randomUUID } from 'node:crypto'
import { AgentError, reasonOf } from '#agent/agent-error.ts'
import { type Clock, systemClock } from '#agent/clock.ts'
import type { Driver } from '#agent/drivers/driver.ts'
import type { DriverPorts } from '#agent/drivers/driver-definition.ts'
import { DRIVERS } from '#agent/drivers/drivers.ts'
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

export interface AgentIo extends Omit<DriverPorts, 'clock' | 'stateFile'> {
  /**
   * Called once with the reason why the agent cannot continue. Without it the reason goes to `log`. So does a
   * fault of the agent itself.
   */
  readonly fail?: (reason: AgentError) => void
  /** Aborts on SIGTERM, SIGINT and SIGHUP. */
  readonly signal: AbortSignal
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
  const definition = DRIVERS[options.driver.name]
  const ports = { ...io, clock, stateFile: options.stateFile }
  let releaseLock: (() => void) | null = null
  let isPaired = false
  let driver: Driver | undefined
  try {
    releaseLock = takeLock(paths.lock)
    driver = io.driver ?? (await definition.start(options.driver, ports))
    const health = new Health({ driver, clock, log: io.log, stop: io.signal })
    const identity =
      io.identity ?? (await findIdentity(options, { clock, signal: io.signal, health, driver, log: io.log }))
    isPaired = true
    const gateway = `${identity.gatewayName ?? ''} ${identity.socketUrl}`.trim()
    io.log(`Device ${identity.deviceId} (${identity.name}), gateway ${gateway}`)
    for (const line of (await definition.keepRunning?.(ports)) ?? []) io.log(line)
    const journal = Journal.open(paths.journal)
    try {
      await recoverJournal({ journal, driver, clock, log: io.log }, io.signal)
      const session = {
        identity,
        bootId: randomUUID(),
        appVersion: VERSION,
        platform: platformOf(options),
        driver: options.driver.name,
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
    driver?.close?.()
    releaseLock?.()
  }
}
