import type { PhoneGroup } from '#domain/device/phone-group.ts'
import { offerToAll } from '#domain/sending/offer-messages.ts'
import { MINUTE_MS, monotonicDeadline } from '#domain/time.ts'
import type { World } from '#domain/world.ts'

/**
 * Looks whether a phone of the group can send. If none could for as long as the group says, any phone of the
 * account may send its messages, unless the group says otherwise. Since when none can is stored, so that a
 * restart does not begin that time again.
 */
export function watchGroup(world: World, group: PhoneGroup): void {
  const { now, settings, deadlines } = world
  const { fallback, fallbackAfterMinutes, id, accountId } = group.row
  const canSend = [...group.phones].some(phone => phone.canSendSoon(now.monoMs, settings.offlineAfterMs))
  if (canSend !== (group.row.downSince === null)) {
    group.row = { ...group.row, downSince: canSend ? null : now.wallMs }
    world.deviceGroups.save(world.tx, group.row)
    world.effects.push({
      kind: 'log',
      level: canSend ? 'info' : 'warn',
      event: canSend ? 'device-group.up' : 'device-group.down',
      fields: { groupId: id },
    })
  }
  const { downSince } = group.row
  group.openToAllAtMono = null
  if (downSince === null || fallback === 'none') return
  const lengthMs = fallbackAfterMinutes * MINUTE_MS
  const at = monotonicDeadline(downSince + lengthMs, lengthMs, now)
  group.openToAllAtMono = at
  if (at > now.monoMs) deadlines.add(at, 'group', id)
  else offerToAll(world, accountId)
}
