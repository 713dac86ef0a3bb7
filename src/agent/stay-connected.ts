/** Keeps a connection open and reconnects, until the agent is stopped or cannot continue. */
import { AgentError } from '#agent/agent-error.ts'
import { type Clock, pause } from '#agent/clock.ts'
import type { ConnectionEnd } from '#agent/connection.ts'
import type { Driver } from '#agent/drivers/driver.ts'
import type { Health } from '#agent/health.ts'
import type { Journal } from '#agent/journal.ts'
import { Observer } from '#agent/session/observer.ts'
import { OfferQueue } from '#agent/session/offer-queue.ts'
import { Radio } from '#agent/session/radio.ts'
import { Reporter } from '#agent/session/reporter.ts'
import { Ringer } from '#agent/session/ringer.ts'
import { runSession, type SessionInput } from '#agent/session/session.ts'
import { CLOSE } from '#contracts/device-frames.ts'

/**
 * Before each reconnect the agent waits a random time between 0 and a limit. The limit starts at the first
 * value and doubles up to the second.
 */
const AGENT_RECONNECT_MS_MIN = 500
const AGENT_RECONNECT_MS_MAX = 30_000
/** The same limit while the gateway answers that it does not know the device: this seldom ends by itself. */
const AGENT_UNKNOWN_MS_MAX = 300_000
/** After a connection that lasted this long, the next back-off starts at the minimum again. */
const AGENT_STEADY_MS = 60_000
/**
 * A stopping agent waits this long for a running radio command, and then for the gateway's acknowledgement.
 */
const AGENT_STOP_MS_MAX = 10_000
const AGENT_STOP_ACK_MS_MAX = 1_000

export interface StayPorts {
  readonly journal: Journal
  readonly driver: Driver
  readonly health: Health
  readonly clock: Clock
  readonly log: (line: string) => void
  /** Returns a number from 0 to 1. */
  readonly random: () => number
  readonly stop: AbortSignal
}

/** The agent reads the phone's state before it connects, and waits at most this long for the result. */
const FIRST_READ_MS_MAX = 5_000

/** Resolves when the agent was stopped. @throws AgentError, or the unexpected error that a bug caused */
export async function stayConnected(ports: StayPorts, input: Omit<SessionInput, 'close'>): Promise<void> {
  const { journal, driver, health, clock, log, stop } = ports
  const abandon = new AbortController()
  const close = new AbortController()
  const fault = (error: unknown) => close.abort(error)
  const reporter = new Reporter(journal, clock)
  const radio = new Radio({ journal, reporter, health, clock, log, abandon: abandon.signal, stop, fault })
  const offers = new OfferQueue({ journal, reporter, radio, driver, health, clock, log })
  const ringer = new Ringer({ driver, log })
  const observer = new Observer({ driver, health, journal, reporter, clock, log, fault })
  const drain = () => {
    offers.stop()
    log('Stopping.')
    const idle = Promise.all([idleOf(radio), ringer.end()])
    waitAtMost(clock, AGENT_STOP_MS_MAX, idle)
      .then(() => {
        abandon.abort()
        const acked = new Promise<void>(resolve => reporter.whenAllAcked(resolve))
        return waitAtMost(clock, AGENT_STOP_ACK_MS_MAX, acked)
      })
      .then(() => close.abort(), fault)
  }
  if (stop.aborted) return
  stop.addEventListener('abort', drain, { once: true })
  try {
    await health.start()
    await waitAtMost(clock, FIRST_READ_MS_MAX, observer.start())
    radio.resume(driver)
    const session = { journal, offers, reporter, observer, ringer, clock, log, fault }
    await reconnectForever(ports, close.signal, () => runSession(session, { ...input, close: close.signal }))
  } finally {
    stop.removeEventListener('abort', drain)
    observer.stop()
    offers.stop()
    // Whatever ended the loop, a running send gets time to write its outcome to the journal.
    if (!abandon.signal.aborted) await waitAtMost(clock, AGENT_STOP_MS_MAX, idleOf(radio))
    abandon.abort()
  }
  // Without a stop, only a fault can have ended the loop. After a stop, only an AgentError counts as a fault.
  if (!stop.aborted || close.signal.reason instanceof AgentError) throw close.signal.reason
}

async function reconnectForever(
  { clock, log, random }: StayPorts,
  close: AbortSignal,
  connect: () => Promise<ConnectionEnd>,
): Promise<void> {
  let failures = 0
  while (!close.aborted) {
    const begunMs = clock.monotonicMs()
    const end = await connect()
    if (close.aborted) return
    throwIfFinal(end)
    failures = clock.monotonicMs() - begunMs >= AGENT_STEADY_MS ? 1 : failures + 1
    const delayMs = reconnectDelayMs(failures, random, isUnknown(end) ? AGENT_UNKNOWN_MS_MAX : undefined)
    log(`${describe(end)}; connecting again in ${delayMs} ms`)
    await pause(clock, delayMs, close)
  }
}

/**
 * How long an agent waits before it connects again, milliseconds.
 *
 * @param failures ends of a connection, and failed attempts, one after another; at least 1
 * @param random returns a number from 0 to 1, so that agents do not all return at the same time
 */
export function reconnectDelayMs(
  failures: number,
  random: () => number,
  longestMs = AGENT_RECONNECT_MS_MAX,
): number {
  const ceilingMs = Math.min(longestMs, AGENT_RECONNECT_MS_MIN * 2 ** (failures - 1))
  return Math.round(random() * ceilingMs)
}

/** Throws if a retry would be wrong, because another agent uses this identity. */
function throwIfFinal(end: ConnectionEnd): void {
  if (end.kind === 'closed' && end.closeCode === CLOSE.superseded) {
    throw new AgentError(
      'Another agent connected with the identity of this one: run only one of them, and pair each device ' +
        'separately.',
    )
  }
}

/**
 * Whether the gateway does not know the device. The agent goes on trying: the right gateway may come back,
 * for example after its data was restored, or after a new and empty one had its address.
 */
function isUnknown(end: ConnectionEnd): boolean {
  if (end.kind === 'closed') return end.closeCode === CLOSE.removed
  return end.kind === 'refused' && end.httpStatus === 401
}

function describe(end: ConnectionEnd): string {
  if (isUnknown(end))
    return (
      'The gateway does not know this device: if its owner removed it, stop this agent and pair again with ' +
      'another file in --state; if the gateway has moved, start it with its old data'
    )
  switch (end.kind) {
    case 'closed':
      return `The gateway closed the connection: ${end.closeCode} ${end.reason}`.trimEnd()
    case 'refused':
      return `The gateway answered HTTP ${end.httpStatus}`
    case 'failed':
      return `No connection: ${end.reason}`
  }
}

const idleOf = (radio: Radio) => new Promise<void>(resolve => radio.whenIdle(resolve))

async function waitAtMost(clock: Clock, delayMs: number, until: Promise<unknown>): Promise<void> {
  const finished = new AbortController()
  await Promise.race([until, pause(clock, delayMs, finished.signal)])
  finished.abort()
}
