import type { CommandInput } from '#contracts/commands.ts'
import { holdBack } from '#domain/webhook/hold-back.ts'
import type { World } from '#domain/world.ts'

/** Takes down what listeners saw and refused; a webhook that is gone meanwhile has nobody to tell. */
export function noteTriggers(world: World, { notes }: CommandInput<'webhook.note'>): null {
  const { webhooks, seenTriggers, tx } = world
  for (const { webhookId, rejected, held, seen, body } of notes) {
    const webhook = webhooks.get(webhookId)
    if (webhook === undefined) continue
    if (rejected > 0) webhooks.reject(tx, webhookId, rejected)
    if (held !== null) holdBack(world, webhook, held)
    seenTriggers.add(tx, webhookId, seen)
    if (body !== null && webhook.keepLastBody) seenTriggers.keepBody(tx, webhookId, body)
  }
  return null
}
