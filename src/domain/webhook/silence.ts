import { MINUTE_MS } from '#domain/time.ts'
import type { Webhook } from '#domain/webhook/webhook.ts'

/**
 * A request that sends no text is noted only if the last note is older than this. So a host that calls every
 * second does not write every second. SILENT waits as much longer.
 */
function grainMs(minutes: number): number {
  return Math.min(MINUTE_MS, (minutes * MINUTE_MS) / 20)
}

/** Silence that begins now. */
export function silenceFrom(
  { enabled, silentAfterMinutes: minutes }: Pick<Webhook, 'enabled' | 'silentAfterMinutes'>,
  wallMs: number,
): Pick<Webhook, 'heardAt' | 'silentAt'> {
  if (minutes === null || !enabled) return { heardAt: null, silentAt: null }
  return { heardAt: wallMs, silentAt: wallMs + minutes * MINUTE_MS + grainMs(minutes) }
}

/** Whether a request that sends no text must be noted, because the last note is old or SILENT was sent. */
export function mustHear(
  { silentAfterMinutes: minutes, heardAt, silentAt }: Webhook,
  wallMs: number,
): boolean {
  if (minutes === null) return false
  return silentAt === null || heardAt === null || Math.abs(wallMs - heardAt) > grainMs(minutes)
}
