/**
 * Whether a new address is another server than the one before, so that a stored credential must not follow
 * it. Null: the service's own address.
 */
export function isOtherOrigin(before: string | null, after: string | null): boolean {
  return originOf(before) !== originOf(after)
}

/** The sentence that asks for the credential again. */
export const CREDENTIAL_AGAIN = 'is needed again, because the address is that of another server'

function originOf(url: string | null): string {
  return url === null ? '' : (URL.parse(url)?.origin ?? url)
}
