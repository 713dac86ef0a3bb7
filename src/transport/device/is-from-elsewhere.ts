import type { PrincipalReader } from '#domain/account/principal.ts'

/**
 * Whether a caller with an unknown token must be a phone of another gateway: the token looks like one that a
 * gateway made for a phone, and this gateway has no phone.
 */
export function isFromElsewhere(reader: Pick<PrincipalReader, 'hasDevices'>, token: string | null): boolean {
  return token?.startsWith('dvt_') === true && !reader.hasDevices()
}
