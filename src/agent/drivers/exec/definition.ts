import type { DriverDefinition } from '#agent/drivers/driver-definition.ts'
import { type ExecSettings, execDriver } from '#agent/drivers/exec/exec-driver.ts'

interface ExecOptions extends Omit<ExecSettings, 'env'> {
  readonly name: 'exec'
}

const flags = {
  exec: {
    value: 'COMMAND',
    brief: 'the command, run by sh -c; exit code 0: sent, 75: try again, 70: not known, else not sent',
    help: [
      'given to sh -c, with ROOST_PHONE_NUMBER, ROOST_MESSAGE, ROOST_MESSAGE_ID,',
      'ROOST_ATTEMPT, ROOST_SEGMENTS and ROOST_SIM_SLOT in its environment;',
      'exit code 0: sent, 75: not sent, try again, 70: not known, other: not sent',
    ],
  },
  'exec-lookup': {
    value: 'COMMAND',
    brief: 'command that says after a crash whether a message was sent (exit code 0) or not (1)',
    help: [
      'run after a crash with the same environment, to say whether a message was sent;',
      'exit code 0: it was, 1: it was not, other: unknown',
    ],
  },
  'exec-call': {
    value: 'COMMAND',
    brief: 'command that rings somebody until it is ended; exit code 0: rang, 75: busy, else failed',
    help: [
      'rings somebody, with ROOST_PHONE_NUMBER and ROOST_RING_SECONDS in its environment;',
      'SIGTERM ends it after so many seconds; exit code 0: rang, 75: busy, other: failed',
    ],
  },
  'exit-0-is-delivered': {
    value: null,
    brief: 'exit code 0 means delivered, not only sent',
    help: ['exit code 0 of COMMAND means delivered, not only sent'],
  },
}

export const exec: DriverDefinition<ExecOptions, typeof flags> = {
  brief: 'run a command for each',
  help: 'run a command for each message',
  flags,
  readOptions(given) {
    const { exec: command, 'exec-lookup': lookUpCommand = null, 'exec-call': callCommand = null } = given
    if (command === undefined || command.trim() === '') return '--driver exec needs --exec COMMAND.'
    if (callCommand?.trim() === '') return '--exec-call needs a command, or leave it out.'
    const exitZeroIsDelivered = given['exit-0-is-delivered'] ?? false
    return { name: 'exec', command, lookUpCommand, callCommand, exitZeroIsDelivered }
  },
  start: (options, { clock, env }) => execDriver(clock, { ...options, env }),
}
