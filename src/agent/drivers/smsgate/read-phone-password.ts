import { readFileSync } from 'node:fs'
import { AgentError, reasonOf } from '#agent/agent-error.ts'
import type { DriverPorts } from '#agent/drivers/driver-definition.ts'

/**
 * Reads the password of the phone's local server from its file, the environment, or the terminal.
 *
 * @throws AgentError if there is none
 */
export async function readPhonePassword(
  { passwordFile, username }: { readonly passwordFile: string | null; readonly username: string },
  { env, askPassword }: DriverPorts,
): Promise<string> {
  const password =
    passwordFile === null
      ? (env['ROOST_PHONE_PASSWORD'] ?? (await askPassword(`Password of ${username} in SMSGate: `)))
      : firstLine(passwordFile)
  if (password !== '') return password
  throw new AgentError(
    "The phone's password is missing: give --password-file FILE, or ROOST_PHONE_PASSWORD, or type it.",
  )
}

function firstLine(file: string): string {
  try {
    return (readFileSync(file, 'utf8').split('\n')[0] ?? '').replace(/\r$/, '')
  } catch (error) {
    throw new AgentError(`--password-file ${file} cannot be read: ${reasonOf(error)}.`)
  }
}
