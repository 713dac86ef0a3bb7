import type { World } from '#domain/world.ts'

type Wakers = Pick<World, 'incidents' | 'deadlines' | 'now'>

/** Looks at once at the incidents whose next step waits for a phone, because one can send now. */
export function wakeIncidents({ incidents, deadlines, now }: Wakers, accountId: string): void {
  for (const { id, dueAt } of incidents.live(accountId))
    if (dueAt !== null && dueAt <= now.wallMs) deadlines.add(now.monoMs, 'incident', id)
}

/** Looks at once at the incident whose step has this text, which has failed for good. */
export function noteFailedText(
  { incidents, deadlines, now }: Wakers,
  message: { readonly id: string; readonly accountId: string },
): void {
  for (const { id, pending } of incidents.live(message.accountId))
    if (pending.some(({ messageId }) => messageId === message.id)) deadlines.add(now.monoMs, 'incident', id)
}
