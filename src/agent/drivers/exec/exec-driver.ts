/**
 * Sends by a command that the owner supplies. The command gets the message in its environment. Its exit code
 * says the outcome. 0: sent. 75 (EX_TEMPFAIL of sysexits.h): not sent, try again. 70 (EX_SOFTWARE): not
 * known. Any other: not sent. If the command is killed, or takes longer than a minute, the outcome is not
 * known either.
 */
import { accessSync, constants, existsSync } from 'node:fs'
import type { Clock } from '#agent/clock.ts'
import type { Driver, Order, Outcome } from '#agent/drivers/driver.ts'
import { type CommandEnd, runProcess } from '#agent/drivers/run-process.ts'
import { AGENT_CHECK_MS_MAX } from '#contracts/bounds.ts'
import type { RingOutcome } from '#contracts/phone-orders.ts'

export interface ExecSettings {
  /** A command line for `sh -c`. */
  readonly command: string
  /** Runs after a crash. Exit code 0: the message was sent; 1: it was not; any other: not known. */
  readonly lookUpCommand: string | null
  /** Rings somebody. Null: this phone cannot call. */
  readonly callCommand: string | null
  /** Whether exit code 0 means that the text has arrived, not only that it was sent. */
  readonly exitZeroIsDelivered: boolean
  readonly env: NodeJS.ProcessEnv
}

const EX_TEMPFAIL = 75
const EX_SOFTWARE = 70
/** A first word without quotes, variables or other syntax of the shell. */
const PLAIN_WORD = /^\s*([\w./+@%:,-]+)(?=\s|$)/

export function execDriver(clock: Clock, settings: ExecSettings): Driver {
  const commandOf = (command: string, order: Order) => {
    return { file: 'sh', args: ['-c', '--', command], env: environmentOf(settings.env, order) }
  }
  const { command, lookUpCommand, callCommand, exitZeroIsDelivered } = settings
  return {
    async send(order, signal, began) {
      return outcomeOf(await runProcess(clock, { ...commandOf(command, order), began }, signal))
    },
    check: () => checkCommand(clock, settings),
    async follow(_order, state) {
      return state === 'sent' && exitZeroIsDelivered ? { state: 'delivered' } : null
    },
    async lookUp(order, signal) {
      if (lookUpCommand === null) return 'unknown'
      const end = await runProcess(clock, commandOf(lookUpCommand, order), signal)
      if (end.kind !== 'exit' || end.exitCode > 1) return 'unknown'
      return end.exitCode === 0 ? { state: 'sent' } : 'not-sent'
    },
    ...(callCommand !== null &&
      ({
        async ring(phoneNumber, seconds, signal) {
          const about = { ROOST_PHONE_NUMBER: phoneNumber, ROOST_RING_SECONDS: String(seconds) }
          const env = { ...settings.env, ...about }
          const call = { file: 'sh', args: ['-c', '--', callCommand], env }
          const end = await runProcess(clock, { ...call, timeoutMs: seconds * 1000, isAsked: true }, signal)
          return ringOutcomeOf(end)
        },
      } satisfies Pick<Driver, 'ring'>)),
  }
}

/** A command that was told to end has let it ring until then. */
function ringOutcomeOf(end: CommandEnd): RingOutcome {
  if (end.kind === 'timed-out') return 'rang'
  if (end.kind !== 'exit') return 'failed'
  if (end.exitCode === 0) return 'rang'
  return end.exitCode === EX_TEMPFAIL ? 'busy' : 'failed'
}

function outcomeOf(end: CommandEnd): Outcome {
  switch (end.kind) {
    case 'exit':
      if (end.exitCode === 0) return { state: 'sent' }
      if (end.exitCode === EX_TEMPFAIL) return { state: 'failed', code: 'NO_SERVICE' }
      if (end.exitCode === EX_SOFTWARE) return { state: 'uncertain', code: 'EXEC_EXIT_70' }
      return { state: 'failed', code: `EXEC_EXIT_${end.exitCode}`, ...detailOf(end.exitCode) }
    case 'killed':
      return { state: 'uncertain', code: `EXEC_${end.by}` }
    case 'timed-out':
      return { state: 'uncertain', code: 'EXEC_TIMED_OUT' }
    case 'left-alone':
      return { state: 'uncertain', code: 'AGENT_STOPPED' }
    case 'not-started':
      return { state: 'failed', code: 'EXEC_NOT_STARTED', detail: end.reason.slice(0, 500) }
  }
}

/**
 * Why the command cannot run, a sentence. Null: it can, or its first word shows nothing. The file may come
 * later, for example from a disk that is not mounted yet.
 */
async function checkCommand(clock: Clock, { command, env }: ExecSettings): Promise<string | null> {
  const word = PLAIN_WORD.exec(command)?.[1]
  if (word === undefined) return null
  if (word.includes('/')) return fileTrouble(word)
  const args = ['-c', 'command -v -- "$1" >/dev/null', 'sh', word]
  const end = await runProcess(clock, { file: 'sh', args, env, timeoutMs: AGENT_CHECK_MS_MAX })
  return end.kind === 'exit' && end.exitCode !== 0 ? `the command of --exec, ${word}, was not found` : null
}

function fileTrouble(file: string): string | null {
  if (!existsSync(file)) return `the command of --exec, ${file}, does not exist`
  try {
    accessSync(file, constants.X_OK)
    return null
  } catch {
    return `the command of --exec, ${file}, may not be executed: run chmod +x ${file}`
  }
}

/** The meaning that a shell gives to exit codes 126 and 127. */
function detailOf(exitCode: number): { readonly detail?: string } {
  if (exitCode === 126) return { detail: 'the command of --exec may not be executed (exit code 126)' }
  if (exitCode === 127) return { detail: 'the command of --exec was not found (exit code 127)' }
  return {}
}

function environmentOf(env: NodeJS.ProcessEnv, order: Order): NodeJS.ProcessEnv {
  return {
    ...env,
    ROOST_PHONE_NUMBER: order.phoneNumber,
    ROOST_MESSAGE: order.message,
    ROOST_MESSAGE_ID: order.messageId,
    ROOST_ATTEMPT: String(order.attempt),
    ROOST_SEGMENTS: String(order.segments),
    ROOST_SIM_SLOT: order.simSlot === null ? '' : String(order.simSlot),
  }
}
