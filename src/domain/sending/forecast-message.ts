import type { MessageReference } from '#contracts/commands.ts'
import type { ForecastResource } from '#contracts/message.ts'
import type { Phone } from '#domain/device/phone.ts'
import { isHome } from '#domain/device/routing.ts'
import type { Message } from '#domain/message/message.ts'
import type { OpenMessage } from '#domain/message/message-queue.ts'
import { notFound } from '#domain/problem.ts'
import { instant } from '#domain/time.ts'
import type { World } from '#domain/world.ts'

/**
 * Says when a message that is not final is expected to leave, and what it waits for. It costs a look at the
 * messages of the phone's queues, so it is made only when somebody asks.
 *
 * @throws Problem NOT_FOUND
 */
export function forecastMessage(world: World, which: MessageReference): ForecastResource {
  const message = world.messages.find(world.tx, which.messageId)
  if (message === undefined || message.accountId !== which.accountId || message.test !== which.test)
    throw notFound('message')
  const open = world.fleet.messages.get(which.messageId)
  if (open === undefined) return { waitsFor: 'nothing', deviceId: null, before: 0, leavesAt: null }
  const { wallMs } = world.now
  const at = (ms: number) => instant(Math.max(wallMs, ms))
  const { deviceId } = open
  if (open.stage === 'scheduled')
    return { waitsFor: 'time', deviceId, before: 0, leavesAt: at(message.sendAt ?? wallMs) }
  if (open.stage === 'resting')
    return { waitsFor: 'retry', deviceId, before: 0, leavesAt: at(message.notBefore) }
  if (open.stage !== 'waiting') return { waitsFor: 'phone', deviceId, before: 0, leavesAt: at(wallMs) }
  return forecastWaiting(world, open, message)
}

function forecastWaiting(world: World, open: OpenMessage, { simSlot }: Message): ForecastResource {
  const { fleet, now, settings } = world
  const phone = open.deviceId === null ? undefined : fleet.phones.get(open.deviceId)
  const queues = phone === undefined ? [] : [phone.queue, phone.pinned]
  const ahead = [...queues, fleet.unassigned(open.accountId)].map(queue => queue.before(open))
  const before = ahead.reduce((sum, { count }) => sum + count, 0)
  const deviceId = phone?.id ?? null
  if (phone?.canSendSoon(now.monoMs, settings.offlineAfterMs) !== true)
    return { waitsFor: 'any-phone', deviceId, before, leavesAt: null }
  const segments = ahead.reduce((sum, one) => sum + one.segments, open.segments)
  const leavesAt = instant(now.wallMs + phone.pacing.expectedWaitMs(segments, now.monoMs))
  const prefers = simSlot === null && !open.pinned && isKept(world, open, phone)
  return { waitsFor: prefers ? 'home-sim' : 'turn', deviceId, before, leavesAt }
}

/** Whether another phone that has no SIM of the recipient's country could send the message sooner. */
function isKept({ fleet, now, settings }: World, open: OpenMessage, phone: Phone): boolean {
  if (!isHome(phone, open.country)) return false
  for (const other of fleet.phonesOf(open.accountId)) {
    const isIdle = other !== phone && other.queueLength === 0 && !isHome(other, open.country)
    if (isIdle && other.canSendSoon(now.monoMs, settings.offlineAfterMs)) return true
  }
  return false
}
