import { readFileSync } from 'node:fs'
import * as v from 'valibot'
import { AgentError, reasonOf, systemCode } from '#agent/agent-error.ts'

/**
 * Reads a JSON file that the agent keeps; null: there is none.
 *
 * @param damaged the sentence for a file that is something else
 * @throws AgentError if it cannot be read
 */
export function readRecord<Record>(
  file: string,
  schema: v.GenericSchema<unknown, Record>,
  { name = file, damaged }: { readonly name?: string; readonly damaged: string },
): Record | null {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return null
    throw new AgentError(`${name} cannot be read: ${reasonOf(error)}.`)
  }
  try {
    return v.parse(schema, JSON.parse(text))
  } catch {
    throw new AgentError(damaged)
  }
}
