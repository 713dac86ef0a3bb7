import type { Sender } from '#domain/alert/sender.ts'
import { readState } from '#domain/alert/vocabulary/states.ts'

const CERTBOT = /^Failed to renew certificate (\S+) with error: ([^\n]+)$/m

/** What certbot prints when it could not renew a certificate: which one, and why. */
export const certbot: Sender = {
  format: 'generic',
  matches: body => CERTBOT.test(body.text),
  state: [() => readState('failed')],
  subject: [body => `certbot: renew ${body.match(CERTBOT)}`],
  reason: [body => CERTBOT.exec(body.text)?.[2] ?? ''],
}
