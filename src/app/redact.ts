/**
 * A second protection for secrets in the log. Code that logs must leave out secrets and mask phone numbers.
 * This file removes or masks those that slip through. It recognizes them by their patterns.
 */

/** Keys and tokens of the gateway, and JSON Web Tokens, which begin with the base64url of `{"`. */
const SECRETS =
  /\b(?:sk_live_|sk_test_|dvt_|stp_|inv_|whsec_)[A-Za-z0-9+/=_-]+|\beyJ[\w-]+\.[\w-]+(?:\.[\w-]*)*/g
/** The secret of a webhook is the last part of its address. */
const WEBHOOKS = /(\/api\/v1\/webhook\/)[^\s/?#"']+/g
const TAIL_DIGITS_MAX = 4
const HEAD_DIGITS_MAX = 4
const HIDDEN_DIGITS_MIN = 3
const NUMBERS = /\+[1-9]\d{6,14}(?!\d)/g

/** The text with secrets replaced and numbers masked. */
export function redact(text: string): string {
  return text.replace(SECRETS, '[redacted]').replace(WEBHOOKS, '$1[redacted]').replace(NUMBERS, maskNumber)
}

/** `+14155550123` → `+1415•••0123`: enough to tell two numbers apart, too little to call one. */
export function maskNumber(phoneNumber: string): string {
  const digits = phoneNumber.replace(/\D/g, '')
  const tail = Math.min(TAIL_DIGITS_MAX, Math.max(0, digits.length - HIDDEN_DIGITS_MIN))
  const head = Math.min(HEAD_DIGITS_MAX, Math.max(0, digits.length - tail - HIDDEN_DIGITS_MIN))
  return `+${digits.slice(0, head)}•••${digits.slice(digits.length - tail)}`
}
