/** What the writer does while the disk is full: reads go on, and the room that is left is for the alarm. */
import type { CommandName } from '#contracts/commands.ts'

/** What a transaction does: all at once, or on a full disk the commands, only reads, or only what is due. */
export type Part = 'whole' | 'calls' | 'reads' | 'due'

/** Commands try what is due no more often, because each failure costs a new look at all open messages. */
export const DUE_TRIED_EVERY_MS = 1_000

/** Commands that write nothing, `health.check` only as long as the world is `readOnly`. */
export const READS: ReadonlySet<CommandName> = new Set<CommandName>([
  'account.find',
  'account.list',
  'configuration.find',
  'device-group.find',
  'device-group.list',
  'device.check-room',
  'device.find',
  'device.list',
  'drill.list',
  'gateway.state',
  'health.check',
  'health.list',
  'key.list',
  'live.join',
  'live.leave',
  'message.forecast',
  'notification.find',
  'user.list',
])

/** Commands that make rows for others. They would soon use up the room that an alarm about the disk needs. */
export const GROWING: ReadonlySet<CommandName> = new Set<CommandName>([
  'forward.text',
  'message.accept',
  'message.accept-all',
  'policy.alert',
  'two-factor.issue',
  'webhook.note',
  'webhook.trigger',
])
