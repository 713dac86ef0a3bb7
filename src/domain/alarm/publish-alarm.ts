import { machineOwner } from '#domain/account/machine-owner.ts'
import type { Alarm } from '#domain/alarm/alarm-store.ts'
import { writeEvent } from '#domain/notification/write-event.ts'
import { instant } from '#domain/time.ts'
import type { World } from '#domain/world.ts'

/** Logs an alarm and writes its event: for its account, or for the machine's if it is about the gateway. */
export function publishAlarm(world: World, event: 'system.alarm' | 'system.recovered', alarm: Alarm): void {
  const { code, severity, subject, message, since } = alarm
  const accountId = alarm.accountId === '' ? machineOwner(world) : alarm.accountId
  const data = { code, severity, subject, message, since: instant(since) }
  if (accountId !== null)
    writeEvent(world, {
      accountId,
      subjectId: `alarm ${code} ${subject ?? ''}`,
      ownUrl: null,
      facts: { event, at: world.now.wallMs, data },
    })
  const isOver = event === 'system.recovered'
  world.effects.push({
    kind: 'log',
    level: isOver ? 'info' : 'warn',
    event: isOver ? 'alarm.cleared' : 'alarm.raised',
    fields: { code, severity, subject, message },
  })
}
