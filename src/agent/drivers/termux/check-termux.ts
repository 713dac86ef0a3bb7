/**
 * Checks whether this phone can send, and says what to do if it cannot. The check calls Termux:API without a
 * recipient. That sends nothing, but makes Android ask for the permission if it is missing.
 * @see https://github.com/termux/termux-api SmsSendAPI, TermuxApiReceiver
 */
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import type { Clock } from '#agent/clock.ts'
import { type CommandEnd, runProcess } from '#agent/drivers/run-process.ts'
import { AGENT_CHECK_MS_MAX } from '#contracts/bounds.ts'

const NO_COMMANDS = 'the commands of Termux:API are missing: run in Termux: pkg install termux-api'
const NO_ANSWER =
  'the app Termux:API does not answer: install it from the same place as Termux (F-Droid), and open it once'
const NOT_ALLOWED =
  'Android does not let Termux:API send SMS: allow it on the screen of the phone, or under ' +
  'Settings, Apps, Termux:API, Permissions, SMS'

/** Why this phone cannot send, a sentence. Null: it can, as far as a check without a real text can show. */
export async function checkTermux(clock: Clock, env: NodeJS.ProcessEnv): Promise<string | null> {
  if (!isOnPath('termux-sms-send', env)) return NO_COMMANDS
  const api = join(env['PREFIX'] ?? '', 'libexec', 'termux-api')
  // Without this program there is no way to ask Termux:API without sending a text.
  if (!existsSync(api)) return null
  const timeoutMs = AGENT_CHECK_MS_MAX
  const command = { file: api, args: ['SmsSend'], env, input: '', withOutput: true, timeoutMs }
  return troubleOf(await runProcess(clock, command))
}

function troubleOf(end: CommandEnd): string | null {
  if (end.kind === 'not-started') return NO_COMMANDS
  if (end.kind !== 'exit') return NO_ANSWER
  if (isPermissionMissing(end.output)) return NOT_ALLOWED
  if (end.exitCode === 126 || end.exitCode === 127) return NO_COMMANDS
  return end.exitCode === 0 ? null : NO_ANSWER
}

/**
 * Termux:API prints a refusal on standard output and exits with 0: {"error": "Please grant this
 * permission"}.
 */
export function isPermissionMissing(output: string): boolean {
  return /"error"\s*:/i.test(output)
}

function isOnPath(file: string, env: NodeJS.ProcessEnv): boolean {
  return (env['PATH'] ?? '').split(delimiter).some(folder => existsSync(join(folder, file)))
}
