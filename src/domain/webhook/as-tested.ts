import { Problem } from '#domain/problem.ts'
import type { Webhook } from '#domain/webhook/webhook.ts'

/**
 * The webhook with the settings that apply to a test by its owner. A test must not replace the last body of a
 * sender. If the cap refuses the test, the owner sees that at once, so no summary reports it later. A test is
 * never gathered, ends no silence, and opens no incident.
 *
 * @throws Problem CONFLICT when the webhook is disabled, or has only a policy
 */
export function asTested(webhook: Webhook): Webhook {
  if (!webhook.enabled) throw new Problem('CONFLICT', 'this webhook is off: set enabled to true to test it')
  if (webhook.recipients.length === 0 && webhook.people.length === 0)
    throw new Problem('CONFLICT', 'this webhook names nobody but its policy: rehearse its policy instead')
  const isQuiet = { keepLastBody: false, summarizeOverflow: false, gather: false }
  return { ...webhook, ...isQuiet, silentAfterMinutes: null, policyId: null }
}
