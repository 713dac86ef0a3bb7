/** Which phone this agent sends with, and where it was found: a file beside the state file. */
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import * as v from 'valibot'
import { AgentError, reasonOf, systemCode } from '#agent/agent-error.ts'
import { SMSGATE_ADDRESSES_MAX } from '#contracts/agent-bounds.ts'

const Page = v.object({
  version: v.literal(1),
  /** The app's own id of the phone. */
  phoneId: v.string(),
  /** Addresses at which it answered, the latest first. */
  addresses: v.array(v.string()),
})

export interface PhoneBook {
  /** Null: no phone has answered yet. */
  readonly phoneId: string | null
  readonly addresses: readonly string[]
  /** The phone answered at this address. */
  note(phoneId: string, url: string): void
}

/**
 * @param expectedId the phone that is meant, where that is known; what is noted of another is void
 * @throws AgentError when the file cannot be read
 */
export function openPhoneBook(file: string, expectedId: string | null = null): PhoneBook {
  let page = load(file)
  if (expectedId !== null && page?.phoneId !== expectedId) page = null
  return {
    get phoneId() {
      return page?.phoneId ?? expectedId
    },
    get addresses() {
      return page?.addresses ?? []
    },
    note(phoneId, url) {
      const known = page?.phoneId === phoneId ? page.addresses : []
      if (known[0] === url) return
      const addresses = [url, ...known.filter(one => one !== url)].slice(0, SMSGATE_ADDRESSES_MAX)
      page = { version: 1, phoneId, addresses }
      writeFileSync(`${file}.new`, `${JSON.stringify(page, null, 2)}\n`, { mode: 0o600, flush: true })
      renameSync(`${file}.new`, file)
    },
  }
}

function load(file: string): v.InferOutput<typeof Page> | null {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return null
    throw new AgentError(`${file} cannot be read: ${reasonOf(error)}.`)
  }
  try {
    return v.parse(Page, JSON.parse(text))
  } catch {
    throw new AgentError(
      `${file} does not say which phone is meant: remove it, and the next one that answers is.`,
    )
  }
}
