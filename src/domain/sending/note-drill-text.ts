/** What the text of a drill goes through, noted for the drill, which alone tells how it ended. */
import type { Message } from '#domain/message/message.ts'
import type { World } from '#domain/world.ts'

export function noteDrillText(
  { drills, drillMemory, deadlines, now }: World,
  { id, status }: Pick<Message, 'id' | 'status'>,
): void {
  const drill = drills.findByMessage(id)
  if (drill?.outcome !== null) return
  if (status === 'sending') drillMemory.goes.set(id, now.monoMs)
  deadlines.add(now.monoMs, 'drill', drill.id)
}

/** Notes why the phone could not send it this time: `EXPIRED` would hide it. */
export function noteDrillReason({ drills, tx }: World, messageId: string, reason: string): void {
  const drill = drills.findByMessage(messageId)
  if (drill?.outcome === null) drills.save(tx, { ...drill, reason })
}
