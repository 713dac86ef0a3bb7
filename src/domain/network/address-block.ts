/**
 * Address blocks in the configuration and in webhooks: `allowedIps`, `http.trusted_proxies`,
 * `notifications.allowed_hosts` and `devices.allowed_hosts`. They are parsed strictly, because a misread rule
 * may let strangers in. Some programs read a leading zero as octal. And `10.1.2.3/8` could mean one machine
 * or sixteen million.
 *
 * A block of mapped addresses (`::ffff:10.0.0.0/104`) is the IPv4 block (`10.0.0.0/8`). `::/0` means every
 * IPv6 address, not every address.
 */
import { type Address, formatAddress, networkOf, parseAddress, prefixMask } from '#domain/network/address.ts'

/** A CIDR block. A single address is a block whose prefix has all bits. */
export interface AddressBlock {
  readonly network: Address
  readonly prefixBits: number
}

export type AddressBlockParsed =
  | { readonly ok: true; readonly block: AddressBlock; readonly canonical: string }
  | { readonly ok: false; readonly message: string }

const MAPPED_BITS = 96
const PREFIX = /^(?:0|[1-9]\d{0,2})$/

/** Reads an exact address or a CIDR block, IPv4 or IPv6; `message` says what is wrong and how to fix it. */
export function parseAddressBlock(text: string): AddressBlockParsed {
  const slash = text.indexOf('/')
  const addressText = slash < 0 ? text : text.slice(0, slash)
  const address = parseAddress(addressText)
  if (address === null)
    return refused('must be an IPv4 or IPv6 address in full, or a CIDR block such as 10.0.0.0/8')
  const bits = address.bytes.length * 8
  if (slash < 0) return accepted(address, bits)

  const prefixText = text.slice(slash + 1)
  const written = PREFIX.test(prefixText) ? Number(prefixText) : Number.NaN
  // A mapped address was written with 128 bits, of which the first 96 are the mapping itself.
  const isMapped = bits === 32 && addressText.includes(':')
  const prefixBits = isMapped ? written - MAPPED_BITS : written
  const range = isMapped ? `${MAPPED_BITS} to 128` : `0 to ${bits}`
  if (!(prefixBits >= 0 && prefixBits <= bits)) return refused(`must have a prefix length of ${range}`)

  const network = networkOf(address, prefixBits)
  if (formatAddress(network) !== formatAddress(address)) {
    const meant = `${formatAddress(network)}/${prefixBits}`
    return refused(`has bits set after its prefix: write ${meant} or ${formatAddress(address)}`)
  }
  return accepted(network, prefixBits)
}

/**
 * Parses a block that is known to be valid.
 *
 * @throws Error when it is not
 */
export function blockOf(text: string): AddressBlock {
  const parsed = parseAddressBlock(text)
  if (!parsed.ok) throw new Error(`${text} ${parsed.message}`)
  return parsed.block
}

/** Whether the address is in one of the blocks. False if there are no blocks. */
export function isInAny(blocks: readonly AddressBlock[], address: Address): boolean {
  return blocks.some(block => isIn(block, address))
}

export function isIn({ network, prefixBits }: AddressBlock, { bytes }: Address): boolean {
  if (network.bytes.length !== bytes.length) return false
  for (let i = 0; i * 8 < prefixBits; i++) {
    const mask = prefixMask(prefixBits - i * 8)
    if (((network.bytes[i] ?? 0) & mask) !== ((bytes[i] ?? 0) & mask)) return false
  }
  return true
}

function accepted(network: Address, prefixBits: number): AddressBlockParsed {
  const isExact = prefixBits === network.bytes.length * 8
  const canonical = isExact ? formatAddress(network) : `${formatAddress(network)}/${prefixBits}`
  return { ok: true, block: { network, prefixBits }, canonical }
}

function refused(message: string): AddressBlockParsed {
  return { ok: false, message }
}
