/**
 * A file beside the state file with what must outlive the agent: the SIM, the PIN that was refused, the
 * texts whose delivery reports are awaited, and whether a deletion may have been cut off.
 */
import { createHash } from 'node:crypto'
import { renameSync, writeFileSync } from 'node:fs'
import * as v from 'valibot'
import { readRecord } from '#agent/read-record.ts'

const Awaited = v.object({
  messageId: v.string(),
  attempt: v.number(),
  /** A hash of the end of the number, which itself is kept nowhere after the text was sent. */
  recipient: v.string(),
  /** References of the parts that are not yet reported as delivered. */
  references: v.array(v.number()),
})
export type Awaited = v.InferOutput<typeof Awaited>

const Facts = v.object({
  version: v.literal(1),
  /** The number of the SIM. Null: not known yet. */
  sim: v.nullable(v.string()),
  /** A hash of the PIN that was tried last, and not accepted. */
  refusedPin: v.nullable(v.string()),
  awaited: v.array(Awaited),
  /** Whether parts of a text that the gateway has may be left in the modem. */
  hasLeftovers: v.optional(v.boolean(), false),
})
type Facts = v.InferOutput<typeof Facts>

const NOTHING: Facts = { version: 1, sim: null, refusedPin: null, awaited: [], hasLeftovers: false }

export interface ModemRecord extends Readonly<Facts> {
  change(change: Partial<Omit<Facts, 'version'>>): void
}

/** @throws AgentError if the file cannot be read */
export function openModemRecord(file: string): ModemRecord {
  const damaged = `${file} is damaged: remove it, and the agent uses the SIM that is in the modem.`
  return recordOf(readRecord(file, Facts, { damaged }) ?? NOTHING, facts => {
    writeFileSync(`${file}.new`, `${JSON.stringify(facts)}\n`, { mode: 0o600, flush: true })
    renameSync(`${file}.new`, file)
  })
}

/** A record that ends with the program. */
export const memoryRecord = (): ModemRecord => recordOf(NOTHING, () => undefined)

function recordOf(known: Facts, save: (facts: Facts) => void): ModemRecord {
  let facts = known
  return {
    get version() {
      return facts.version
    },
    get sim() {
      return facts.sim
    },
    get refusedPin() {
      return facts.refusedPin
    },
    get awaited() {
      return facts.awaited
    },
    get hasLeftovers() {
      return facts.hasLeftovers
    },
    change(change) {
      facts = { ...facts, ...change }
      save(facts)
    },
  }
}

export const hashOf = (secret: string) => createHash('sha256').update(secret).digest('base64url').slice(0, 22)
