/**
 * Converts message ids to Twilio's SIDs and back. A SID has 32 hexadecimal digits: the 128 bits of a ULID.
 */

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const MESSAGE_ID = /^msg_([0-7][0-9A-HJKMNP-TV-Z]{25})$/
const SID = /^SM([0-9a-f]{32})$/

/** Converts `msg_` and a ULID to `SM` and 32 hexadecimal digits. */
export function sidOf(messageId: string): string {
  const ulid = MESSAGE_ID.exec(messageId)?.[1] ?? ''
  let bits = 0n
  for (const character of ulid) bits = (bits << 5n) | BigInt(CROCKFORD.indexOf(character))
  return `SM${bits.toString(16).padStart(32, '0')}`
}

/** Converts a SID back to a message id; null: not a SID. */
export function messageIdOf(sid: string): string | null {
  const hex = SID.exec(sid)?.[1]
  if (hex === undefined) return null
  let bits = BigInt(`0x${hex}`)
  let ulid = ''
  for (let at = 0; at < 26; at++, bits >>= 5n) ulid = (CROCKFORD[Number(bits & 31n)] ?? '') + ulid
  return `msg_${ulid}`
}
