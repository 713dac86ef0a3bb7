/** Bytes of the token in a mail address. As 40 hexadecimal digits it fits the 64 characters before an `@`. */
const TOKEN_BYTES = 20

/**
 * The mail address of the webhook with this token. It has a token of its own in small letters, because many
 * devices write addresses so. Whoever knows the webhook's token can work it out, so that pages need not
 * store it.
 */
export function mailAddressOf(token: string, hash: (secret: string) => Uint8Array): string {
  const digits = Array.from(hash(`mail ${token}`).subarray(0, TOKEN_BYTES), byte =>
    byte.toString(16).padStart(2, '0'),
  )
  return `${digits.join('')}@roost.local`
}

/** The part of a mail address that names a webhook. */
export function tokenOfMail(address: string): string {
  return address.slice(0, address.lastIndexOf('@'))
}

/** A token as its webhook knows it. That of a mail address may come in capitals, which devices write, too. */
export function asWritten(token: string): string {
  return /^[0-9A-F]{40}$/i.test(token) ? token.toLowerCase() : token
}
