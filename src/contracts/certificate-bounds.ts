/** Bounds of the certificates that the gateway makes. */

/** An authority is installed by hand on every phone and computer, so it must last long. */
export const AUTHORITY_DAYS = 3650
/** Apple and others refuse certificates that are valid for longer than 397 days. */
export const CERTIFICATE_DAYS = 365
/** Validity begins this long ago, for clocks that are slow. */
export const CERTIFICATE_BACKDATED_MS = 60 * 60_000
/** A certificate is renewed when this share of its validity is left: four months to notice a failure. */
export const CERTIFICATE_RENEWED_AT = 1 / 3
/** Names and addresses in one certificate; each is 10 to 60 bytes of every handshake. */
export const CERTIFICATE_NAMES_MAX = 64
/** How often the gateway checks whether a certificate is due for renewal or its file has changed. */
export const CERTIFICATE_CHECK_EVERY_MS = 60 * 60_000
