import { Problem } from '#domain/problem.ts'
import type { Webhook } from '#domain/webhook/webhook.ts'

/**
 * The webhook with the settings that apply to a test by its owner. A test must not replace the last body of a
 * sender. If the cap refuses the test, the owner sees that at once, so no summary reports it later. A test is
 * never gathered, and ends no silence.
 *
 * @throws Problem CONFLICT when the webhook is disabled
 */
export function asTested(webhook: Webhook): Webhook {
  if (!webhook.enabled) throw new Problem('CONFLICT', 'this webhook is off: set enabled to true to test it')
  const isQuiet = { keepLastBody: false, summarizeOverflow: false, gather: false }
  return { ...webhook, ...isQuiet, silentAfterMinutes: null }
}
