/**
 * The net behind the rule that no secret is logged: those who log leave secrets out and mask numbers; what
 * slips through is caught here by its looks.
 */
import { maskNumber } from '#domain/phone-number/mask-number.ts'

/** Keys and tokens of the gateway, and JSON Web Tokens, which begin with the base64url of `{"`. */
const SECRETS = /\b(?:sk_live_|sk_test_|dvt_|stp_|whsec_)[A-Za-z0-9+/=_-]+|\beyJ[\w-]+\.[\w-]+(?:\.[\w-]*)*/g
/** The secret of a webhook is the last part of its address. */
const WEBHOOKS = /(\/api\/v1\/webhook\/)[^\s/?#"']+/g
const NUMBERS = /\+[1-9]\d{6,14}(?!\d)/g

/** The text with secrets replaced and numbers masked. */
export function redact(text: string): string {
  return text.replace(SECRETS, '[redacted]').replace(WEBHOOKS, '$1[redacted]').replace(NUMBERS, maskNumber)
}
