import { AgentError } from '#agent/agent-error.ts'
import type { DriverPorts } from '#agent/drivers/driver-definition.ts'
import { readSecretFile } from '#agent/read-secret-file.ts'

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
      : readSecretFile('--password-file', passwordFile)
  if (password !== '') return password
  throw new AgentError(
    "The phone's password is missing: give --password-file FILE, or ROOST_PHONE_PASSWORD, or type it.",
  )
}
