import { type Clock, wallTime } from '#agent/clock.ts'
import type { Driver } from '#agent/drivers/driver.ts'
import type { Journal } from '#agent/journal.ts'
import type { Entry } from '#agent/journal-record.ts'
import { endGroup } from '#agent/process-group.ts'

export interface RecoveryPorts {
  readonly journal: Journal
  readonly driver: Driver
  readonly clock: Clock
  readonly log: (line: string) => void
}

/**
 * Settles messages that were being sent when the agent ended. The driver looks up each outcome. A message
 * whose outcome stays unknown ends as `uncertain`. A command that outlived the agent is ended first, because
 * it could still send the message after the look-up. This runs before the first connection, so that `sync` is
 * correct. If the signal interrupts it, the next start settles the rest.
 */
export async function recoverJournal(ports: RecoveryPorts, signal: AbortSignal): Promise<void> {
  const { journal, driver, clock, log } = ports
  for (const entry of [...journal.messages.values()]) {
    if (entry.state !== 'submitting') continue
    log(`${entry.messageId}: the agent ended while it was being sent; looking it up`)
    const found = (await endCommand(ports, entry, signal)) ? await lookUp(driver, entry, signal) : 'unknown'
    if (signal.aborted) return
    // The message stays as it is. `Radio.resume` looks it up again.
    if (found === 'later') continue
    const { mark } = entry
    const at = wallTime(clock)
    if (found === 'not-sent') {
      journal.change(entry.messageId, { state: 'accepted', code: null, detail: null, at, mark, done: false })
    } else if (found === 'unknown') {
      journal.change(entry.messageId, {
        state: 'uncertain',
        code: 'AGENT_CRASHED',
        detail: null,
        at,
        mark,
        done: true,
      })
    } else {
      const { state, code = null, detail = null } = found
      const done = driver.follow === undefined || state === 'failed'
      journal.change(entry.messageId, { state, code, detail, at, mark, done })
    }
    log(`${entry.messageId}: ${journal.messages.get(entry.messageId)?.state}`)
  }
}

/** False: the command that sends the message may still run. */
async function endCommand(
  { clock, log }: RecoveryPorts,
  entry: Entry,
  signal: AbortSignal,
): Promise<boolean> {
  if (entry.command === undefined) return true
  const isGone = await endGroup(clock, entry.command, signal)
  if (!isGone) log(`${entry.messageId}: its command, process ${entry.command}, cannot be ended`)
  return isGone
}

async function lookUp(driver: Driver, entry: Entry, signal: AbortSignal) {
  try {
    return (await driver.lookUp?.(entry, signal)) ?? 'unknown'
  } catch {
    return 'unknown' as const
  }
}
