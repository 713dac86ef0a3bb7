import type { CommandInput } from '#contracts/commands.ts'
import { holdBack } from '#domain/sending/hold-back.ts'
import { hear } from '#domain/sending/watch-silence.ts'
import { pruneTriggers } from '#domain/webhook/prune-triggers.ts'
import { recordTriggers } from '#domain/webhook/record-triggers.ts'
import type { World } from '#domain/world.ts'

/** Writes the triggers that listeners refused or filtered. A webhook removed meanwhile is skipped. */
export function noteTriggers(world: World, { notes }: CommandInput<'webhook.note'>): null {
  const { webhooks, tx } = world
  for (const { webhookId, rejected, held, seen, passed = [], isHeard } of notes) {
    const webhook = webhooks.get(webhookId)
    if (webhook === undefined) continue
    if (isHeard) hear(world, webhook)
    if (rejected > 0) webhooks.reject(tx, webhookId, rejected)
    if (held !== null) holdBack(world, webhook, held)
    if (passed.length > 0) pruneTriggers(world, webhookId)
    for (const request of passed) webhooks.pass(tx, webhookId, request)
    recordTriggers(world, webhook, seen)
  }
  return null
}
