/**
 * The state file: the device's identity at the gateway. It is written at pairing, and again when a later
 * `--authority` replaces the authority. Only its owner can read it.
 */
import { closeSync, fsyncSync, openSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import * as v from 'valibot'
import { readRecord } from '#agent/read-record.ts'

const IdentityFile = v.object({
  version: v.literal(1),
  deviceId: v.string(),
  token: v.pipe(v.string(), v.minLength(1)),
  socketUrl: v.pipe(v.string(), v.regex(/^wss?:\/\//)),
  name: v.string(),
  /** What the gateway called itself when this device was paired. */
  gatewayName: v.optional(v.string()),
  pairedAt: v.string(),
  /** PEM of the only authority to trust. Left out: those built into Node.js are trusted. */
  authority: v.optional(v.string()),
})
export type Identity = v.InferOutput<typeof IdentityFile>

/** The files of one device, all in the same folder. */
export interface StatePaths {
  readonly identity: string
  readonly journal: string
  readonly lock: string
}

export function statePaths(stateFile: string): StatePaths {
  return {
    identity: stateFile,
    journal: `${stateFile}.journal`,
    lock: `${stateFile}.lock`,
  }
}

/** Null if this device was never paired. @throws AgentError if the file cannot be read */
export function loadIdentity(file: string): Identity | null {
  return readRecord(file, IdentityFile, {
    name: `The state file ${file}`,
    damaged:
      `${file} is not a state file of this agent: name another file with --state, ` +
      'or remove it and pair again.',
  })
}

/** Writes the state file to the disk before it returns, because the gateway shows the token only once. */
export function saveIdentity(file: string, identity: Identity): void {
  const draft = `${file}.new`
  writeFileSync(draft, `${JSON.stringify(identity, null, 2)}\n`, { mode: 0o600, flush: true })
  renameSync(draft, file)
  syncFolder(dirname(file))
}

/** Makes new and renamed files of this folder survive a power cut. */
export function syncFolder(folder: string): void {
  const descriptor = openSync(folder, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
