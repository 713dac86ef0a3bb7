/**
 * A file beside the state file with facts about the phone that sends for this agent: its id, the addresses
 * where it answered, and the id of one text that it knows.
 */
import { renameSync, writeFileSync } from 'node:fs'
import * as v from 'valibot'
import { readRecord } from '#agent/read-record.ts'

/** Earlier addresses of a phone that are tried when it stops answering at the current one. */
const SMSGATE_ADDRESSES_MAX = 5

const PhoneFacts = v.object({
  version: v.literal(1),
  /** The app's own id of the phone. */
  phoneId: v.string(),
  /** Addresses at which the phone answered, the latest first. */
  addresses: v.array(v.string()),
  /** The id of a text that the phone knew, and the wall-clock time of that answer. */
  witness: v.optional(v.nullable(v.object({ id: v.string(), atMs: v.number() })), null),
})
type PhoneFacts = v.InferOutput<typeof PhoneFacts>
export type Witness = NonNullable<PhoneFacts['witness']>

export interface PhoneRecord {
  /** Null: not known yet. */
  readonly phoneId: string | null
  readonly addresses: readonly string[]
  /** Records that the phone answered at this address. */
  addAddress(phoneId: string, url: string): void
  /** The latest text that the phone is known to have. Null: none. */
  readonly witness: Witness | null
  noteWitness(witness: Witness): void
}

/**
 * @param expectedId the id of the phone, if it is known; entries about another phone are ignored
 * @throws AgentError if the file cannot be read
 */
export function openPhoneRecord(file: string, expectedId: string | null = null): PhoneRecord {
  let facts = readRecord(file, PhoneFacts, {
    damaged: `${file} is damaged: remove it, and the agent uses the next phone that answers.`,
  })
  if (expectedId !== null && facts?.phoneId !== expectedId) facts = null
  const save = (next: PhoneFacts) => {
    facts = next
    writeFileSync(`${file}.new`, `${JSON.stringify(next, null, 2)}\n`, { mode: 0o600, flush: true })
    renameSync(`${file}.new`, file)
  }
  return {
    get phoneId() {
      return facts?.phoneId ?? expectedId
    },
    get addresses() {
      return facts?.addresses ?? []
    },
    get witness() {
      return facts?.witness ?? null
    },
    addAddress(phoneId, url) {
      const known = facts?.phoneId === phoneId ? facts : { addresses: [], witness: null }
      if (known.addresses[0] === url) return
      const addresses = [url, ...known.addresses.filter(one => one !== url)].slice(0, SMSGATE_ADDRESSES_MAX)
      save({ version: 1, phoneId, addresses, witness: known.witness })
    },
    noteWitness(witness) {
      // Until the phone has proved its id, a text that it knows may belong to another phone.
      if (facts !== null) save({ ...facts, witness })
    },
  }
}
