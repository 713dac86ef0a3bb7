import type { Address } from '#domain/network/address.ts'
import { type AddressBlock, isInAny, parseAddressBlock } from '#domain/network/address-block.ts'
import type { Webhook } from '#domain/webhook/webhook.ts'

/** How many lists are cached. A list has up to `ALLOWED_IPS_MAX` blocks of about 200 bytes. */
const LISTS_MAX = 200

/** The allow lists of webhooks. Each is parsed at its first trigger and cached by its text. */
export class Allowlists {
  readonly #blocks = new Map<string, readonly AddressBlock[]>()

  /** Whether the webhook may be triggered from this address; an empty list allows every address. */
  allows({ allowedIps }: Pick<Webhook, 'allowedIps'>, address: Address): boolean {
    return allowedIps.length === 0 || isInAny(this.#blocksOf(allowedIps), address)
  }

  #blocksOf(allowedIps: readonly string[]): readonly AddressBlock[] {
    const key = allowedIps.join(' ')
    const known = this.#blocks.get(key)
    if (known !== undefined) return known
    const blocks = allowedIps.map(parseAddressBlock).flatMap(parsed => (parsed.ok ? [parsed.block] : []))
    if (this.#blocks.size >= LISTS_MAX) this.#blocks.clear()
    this.#blocks.set(key, blocks)
    return blocks
  }
}
