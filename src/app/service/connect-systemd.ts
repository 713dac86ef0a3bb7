/**
 * The connection to systemd if it started this program as a service of `Type=notify`, as in sd_notify(3).
 * Node has no Unix datagram sockets. So the unit makes systemd open the socket and pass on the descriptor
 * (`OpenFile=`, systemd 253 and newer), and a message is one write(2). Older versions ignore that line;
 * with those, each message is sent by running `systemd-notify`.
 *
 * @see https://www.freedesktop.org/software/systemd/man/latest/sd_notify.html
 */
import { execFile } from 'node:child_process'
import { writeSync } from 'node:fs'

/** Number of the first descriptor that systemd passes on (SD_LISTEN_FDS_START). */
const FIRST_DESCRIPTOR = 3
/** The name that `OpenFile=` of the unit gives to the descriptor. */
const DESCRIPTOR_NAME = 'notify'
/** Time limit of one `systemd-notify`, so that hanging processes do not pile up. */
const NOTIFY_MS_MAX = 10_000

/** The connection to the service manager. */
export interface SystemdConnection {
  /** Interval of watchdog messages, half of the time that systemd allows; null: no watchdog. */
  readonly watchdogMs: number | null
  /**
   * Sends assignments such as `READY=1` in one message. Never throws, because a failure here must not end the
   * gateway.
   */
  notify(...assignments: readonly string[]): void
}

export interface SystemdOptions {
  readonly env: NodeJS.ProcessEnv
  readonly pid: number
  /** Replace the two ways to send a message, for tests. */
  readonly write?: (descriptor: number, message: string) => void
  readonly run?: (command: string, args: readonly string[]) => void
}

/** Opens the connection to systemd; null when there is none. */
export function connectSystemd(options: SystemdOptions): SystemdConnection | null {
  const { env, pid, write = writeSync, run = runToEnd } = options
  const watchdogMs = readWatchdogMs(env, pid)
  const descriptor = findDescriptor(env, pid)
  if (descriptor !== null)
    return {
      watchdogMs,
      notify: (...assignments) => attempt(() => write(descriptor, assignments.map(oneLine).join('\n'))),
    }
  if ((env['NOTIFY_SOCKET'] ?? '') === '') return null
  return {
    watchdogMs,
    notify: (...assignments) => attempt(() => run('systemd-notify', assignments.map(oneLine))),
  }
}

/**
 * Whether systemd started this process as a service of any type. INVOCATION_ID alone proves nothing: a shell
 * in a desktop session inherits it.
 */
export function isService(env: NodeJS.ProcessEnv, pid: number): boolean {
  if ((env['NOTIFY_SOCKET'] ?? '') !== '') return true
  if ((env['INVOCATION_ID'] ?? '') === '') return false
  const started = env['SYSTEMD_EXEC_PID'] ?? ''
  return started === '' || Number(started) === pid
}

function findDescriptor(env: NodeJS.ProcessEnv, pid: number): number | null {
  if (Number(env['LISTEN_PID']) !== pid) return null
  const index = (env['LISTEN_FDNAMES'] ?? '').split(':').indexOf(DESCRIPTOR_NAME)
  return index >= 0 && index < Number(env['LISTEN_FDS']) ? FIRST_DESCRIPTOR + index : null
}

function readWatchdogMs(env: NodeJS.ProcessEnv, pid: number): number | null {
  const { WATCHDOG_USEC: microseconds, WATCHDOG_PID: watched } = env
  if (watched !== undefined && Number(watched) !== pid) return null
  const ms = Number(microseconds) / 1000
  return Number.isFinite(ms) && ms > 0 ? ms / 2 : null
}

/**
 * Removes line feeds from a status, because another assignment would begin after one. No other assignment
 * contains text from elsewhere.
 */
function oneLine(assignment: string): string {
  const [name = '', ...value] = assignment.split('=')
  const isStatus = name.startsWith('STATUS')
  return isStatus ? `${name}=${value.join('=').replace(/\p{C}+/gu, ' ')}` : assignment
}

function attempt(send: () => void): void {
  try {
    send()
  } catch {
    // systemd has ended or is restarting: the next message may arrive.
  }
}

function runToEnd(command: string, args: readonly string[]): void {
  execFile(command, args, { timeout: NOTIFY_MS_MAX }, () => {
    // A lost message cannot be repaired here; systemd notices a missing watchdog message.
  })
}
