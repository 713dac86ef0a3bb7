/**
 * Who this device is to the gateway: the state file, written once at pairing and readable by its owner only.
 */
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import * as v from 'valibot'
import { AgentError, reasonOf, systemCode } from '#agent/agent-error.ts'

const IdentityFile = v.object({
  version: v.literal(1),
  deviceId: v.string(),
  token: v.pipe(v.string(), v.minLength(1)),
  socketUrl: v.pipe(v.string(), v.regex(/^wss?:\/\//)),
  name: v.string(),
  pairedAt: v.string(),
  /** PEM: the only authority that is trusted; left out: those of the system. */
  authority: v.optional(v.string()),
})
export type Identity = v.InferOutput<typeof IdentityFile>

/** The files of one device, beside one another. */
export interface StatePaths {
  readonly identity: string
  readonly journal: string
  readonly lock: string
  /** Which phone is sent with, where the phone is apart from this computer. */
  readonly phoneBook: string
}

export function statePaths(stateFile: string): StatePaths {
  return {
    identity: stateFile,
    journal: `${stateFile}.journal`,
    lock: `${stateFile}.lock`,
    phoneBook: `${stateFile}.phone`,
  }
}

/** Null when this device was never paired. */
export function loadIdentity(file: string): Identity | null {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return null
    throw new AgentError(`The state file ${file} cannot be read: ${reasonOf(error)}.`)
  }
  try {
    return v.parse(IdentityFile, JSON.parse(text))
  } catch {
    throw new AgentError(
      `The state file ${file} is not one of this agent's; name another with --state, ` +
        'or remove it and pair again.',
    )
  }
}

/** On disk when it returns: the token is shown to the device only once. */
export function saveIdentity(file: string, identity: Identity): void {
  const draft = `${file}.new`
  writeFileSync(draft, `${JSON.stringify(identity, null, 2)}\n`, { mode: 0o600, flush: true })
  renameSync(draft, file)
  syncFolder(dirname(file))
}

/** Makes a rename or a creation in this folder outlast a power cut. */
export function syncFolder(folder: string): void {
  const descriptor = openSync(folder, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
