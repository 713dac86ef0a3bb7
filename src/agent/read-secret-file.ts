import { readFileSync } from 'node:fs'
import { AgentError, reasonOf } from '#agent/agent-error.ts'

/** Returns the first line of the file that `flag` names. @throws AgentError if it cannot be read */
export function readSecretFile(flag: string, file: string): string {
  try {
    return (readFileSync(file, 'utf8').split('\n')[0] ?? '').replace(/\r$/, '')
  } catch (error) {
    throw new AgentError(`${flag} ${file} cannot be read: ${reasonOf(error)}.`)
  }
}
