/**
 * Sends by a command that the owner supplies. The command gets the message in its environment. Its exit code
 * says the outcome. 0: sent. 75 (EX_TEMPFAIL of sysexits.h): not sent, try again. Any other: not sent. If the
 * command is killed, or takes longer than a minute, the outcome is uncertain.
 */
import type { Clock } from '#agent/clock.ts'
import type { Driver, Order, Outcome } from '#agent/drivers/driver.ts'
import { type CommandEnd, runCommand } from '#agent/drivers/run-command.ts'

export interface ExecSettings {
  /** A command line for `sh -c`. */
  readonly command: string
  /** Runs after a crash. Exit code 0: the message was sent; 1: it was not; any other: not known. */
  readonly lookUpCommand: string | null
  /** Whether exit code 0 means that the text has arrived, not only that it was sent. */
  readonly exitZeroIsDelivered: boolean
  readonly env: NodeJS.ProcessEnv
}

const EX_TEMPFAIL = 75

export function execDriver(clock: Clock, settings: ExecSettings): Driver {
  const run = (command: string, order: Order, signal: AbortSignal) =>
    runCommand(
      clock,
      { file: 'sh', args: ['-c', '--', command], env: environmentOf(settings.env, order) },
      signal,
    )
  const { command, lookUpCommand, exitZeroIsDelivered } = settings
  return {
    async send(order, signal) {
      return outcomeOf(await run(command, order, signal))
    },
    async follow(_order, state) {
      return state === 'sent' && exitZeroIsDelivered ? { state: 'delivered' } : null
    },
    async lookUp(order, signal) {
      if (lookUpCommand === null) return 'unknown'
      const end = await run(lookUpCommand, order, signal)
      if (end.kind !== 'exit' || end.exitCode > 1) return 'unknown'
      return end.exitCode === 0 ? { state: 'sent' } : 'not-sent'
    },
  }
}

function outcomeOf(end: CommandEnd): Outcome {
  switch (end.kind) {
    case 'exit':
      if (end.exitCode === 0) return { state: 'sent' }
      if (end.exitCode === EX_TEMPFAIL) return { state: 'failed', code: 'NO_SERVICE' }
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
