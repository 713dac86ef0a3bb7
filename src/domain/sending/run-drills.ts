/**
 * The life of a drill. Its row says all that counts, so that a restart at any point goes on. While one is
 * under way it is looked at every minute: only time in which the gateway ran, and the receiving phone could
 * hand in the text, counts.
 */
import { sentence } from '#contracts/words.ts'
import type { Phone } from '#domain/device/phone.ts'
import { DRILL_MS, DRILL_WAIT_MS_MAX, type Drill, isCross } from '#domain/drill/drill.ts'
import { maskedDrillText } from '#domain/drill/drill-text.ts'
import type { Message } from '#domain/message/message.ts'
import { plainText } from '#domain/message/message-fields.ts'
import { Problem } from '#domain/problem.ts'
import {
  type Hindrance,
  isHindrance,
  PAUSED,
  PHONE_AWAY,
  senderHindrance,
  TARGET_AWAY,
  thirdPhone,
  type Way,
  wayAgain,
} from '#domain/sending/drill-way.ts'
import { endMessage } from '#domain/sending/end-message.ts'
import { judgeChain } from '#domain/sending/judge-chain.ts'
import { sendText } from '#domain/sending/send-text.ts'
import { MINUTE_MS } from '#domain/time.ts'
import type { World } from '#domain/world.ts'

const LOOK_MS = MINUTE_MS

export const NO_ROOM = sentence('too many texts wait').english
const CANCELLED = sentence('its text was cancelled').english
export const RESTORED = sentence('the gateway went back to an older state').english
export const TARGET_REMOVED = sentence('the phone that should get the text was removed').english
const PROVEN_SINCE = sentence('the phone was proven meanwhile').english
const PLAN_REMOVED = sentence('the plan of the phone was removed').english

interface Asked extends Pick<Drill, 'by' | 'day' | 'role' | 'firstId'> {
  readonly way: Way
  readonly simSlot: number | null
}

/**
 * Begins a drill: its text goes through this phone only, to a number that the owner wrote down.
 *
 * @throws Problem SERVICE_UNAVAILABLE (no room)
 */
export function beginDrill(world: World, phone: Phone, asked: Asked): Drill {
  const { way, simSlot, ...fields } = asked
  const drill = newDrill(world, phone, { ...fields, toDeviceId: way.target.id })
  return sendDrill(world, drill, { way, simSlot, write: 'insert' })
}

type Fields = Pick<Drill, 'by' | 'day' | 'role' | 'firstId' | 'toDeviceId'>

function newDrill({ source, now }: World, { device }: Phone, fields: Fields): Drill {
  return {
    ...fields,
    id: source.id('dri_', now.wallMs),
    accountId: device.accountId,
    deviceId: device.id,
    messageId: null,
    code: null,
    at: now.wallMs,
    hasLeft: false,
    waitedMs: 0,
    openMs: 0,
    outcome: null,
    reason: null,
    tookMs: null,
    endedAt: null,
  }
}

interface Sending {
  readonly way: Way
  readonly simSlot: number | null
  readonly write: 'insert' | 'save'
}

function sendDrill(world: World, drill: Drill, { way, simSlot, write }: Sending): Drill {
  const { accountId, deviceId } = drill
  const begun = { ...drill, code: world.source.drillCode(), at: world.now.wallMs, waitedMs: 0, openMs: 0 }
  const ours = { kind: 'drill', deviceId, simSlot, ttlMs: DRILL_MS } as const
  const to = { accountId, phoneNumber: way.phoneNumber, country: null }
  const text = maskedDrillText(world.settings.language)
  let sent: Drill = begun
  // The phone gets its offer, with the code of the row, in the same call.
  sendText(world, { ...plainText({ ...to, ...ours, text }), isToPerson: true }, ({ id }) => {
    sent = { ...begun, messageId: id }
    world.drills[write](world.tx, sent)
  })
  lookAgain(world, sent, LOOK_MS)
  return sent
}

/** Notes that a planned drill could not begin. */
export function skipPlanned(
  world: World,
  phone: Phone,
  { day, words }: { day: number; words: string },
): void {
  const drill = newDrill(world, phone, { by: 'plan', day, role: 'first', firstId: null, toDeviceId: null })
  const ended = { outcome: 'skipped', reason: words, endedAt: world.now.wallMs } as const
  world.drills.insert(world.tx, { ...drill, ...ended })
  world.drillMemory.count('skipped')
}

function lookAgain({ deadlines, now, drillMemory }: World, drill: Drill, inMs: number): void {
  if (!drillMemory.looks.has(drill.id)) drillMemory.looks.set(drill.id, { at: now.monoMs, isHeard: false })
  deadlines.add(now.monoMs + inMs, 'drill', drill.id)
}

/** Looks at a drill: whether it can begin, has ended, or when to look again. */
export function watchDrill(world: World, id: string): void {
  const known = world.drills.find(id)
  const phone = world.fleet.phones.get(known?.deviceId ?? '')
  if (known === undefined || phone === undefined) return
  if (known.outcome !== null) return judgeChain(world, phone, { firstId: known.firstId ?? '', isLast: true })
  // After a restart: the verdict may wait for it.
  if (isCross(known) && !world.drillMemory.looks.has(id))
    judgeChain(world, phone, { firstId: known.firstId ?? '', isLast: false })
  const drill = countTime(world, known)
  if (drill.messageId === null) return repeatWhenDue(world, phone, drill)
  const message = world.messages.find(world.tx, drill.messageId)
  const next = { ...drill, hasLeft: message !== undefined && hasLeft(message) }
  const end = endOf(world, { phone, drill: next, message })
  if (end !== null) return endDrill(world, next, end)
  world.drills.save(world.tx, next)
  const leftMs = next.hasLeft ? DRILL_MS - next.waitedMs : LOOK_MS
  lookAgain(world, next, Math.min(LOOK_MS, leftMs))
}

/** Adds the time since the last look, of which two looks at most: the process may have stood still. */
function countTime({ drillMemory, now, fleet }: World, drill: Drill): Drill {
  const last = drillMemory.looks.get(drill.id)
  const passedMs = Math.min(now.monoMs - (last?.at ?? now.monoMs), 2 * LOOK_MS)
  const isHeard = fleet.phones.get(drill.toDeviceId ?? '')?.isReachable === true
  drillMemory.looks.set(drill.id, { at: now.monoMs, isHeard })
  const waits = drill.messageId === null || (drill.hasLeft && isHeard && last?.isHeard === true)
  return {
    ...drill,
    openMs: drill.openMs + passedMs,
    waitedMs: drill.waitedMs + (waits ? passedMs : 0),
  }
}

/** Whether the text left, or may have. */
function hasLeft({ status, failure }: Message): boolean {
  if (status !== 'failed') return status === 'sent' || status === 'delivered'
  return failure?.code === 'OUTCOME_UNKNOWN' || failure?.code === 'UNDELIVERED'
}

type End = Pick<Drill, 'outcome' | 'reason'> & { readonly tookMs?: number | null }

interface UnderWay {
  readonly phone: Phone
  readonly drill: Drill
  readonly message: Message | undefined
}

function endOf({ fleet, now }: World, { phone, drill, message }: UnderWay): End | null {
  const skipped = (reason: string): End => ({ outcome: 'skipped', reason })
  if (!fleet.phones.has(drill.toDeviceId ?? '')) return skipped(TARGET_REMOVED)
  if (message === undefined) return skipped(CANCELLED)
  if (drill.hasLeft && drill.waitedMs >= DRILL_MS)
    return { outcome: 'sent_not_received', reason: message.failure?.message ?? null }
  if (message.status !== 'failed' || drill.hasLeft)
    return drill.openMs >= DRILL_WAIT_MS_MAX ? skipped(TARGET_AWAY.words) : null
  const { code, message: why } = message.failure ?? { code: '', message: '' }
  if (code === 'CANCELLED' || code === 'DEVICE_REMOVED') return skipped(CANCELLED)
  if (code !== 'EXPIRED') return { outcome: 'not_sent', reason: why }
  if (phone.device.paused) return skipped(PAUSED.words)
  // A phone that was away the whole time is no broken chain: it is offline.
  if (message.attempt === 0 && !phone.isReachable) return skipped(PHONE_AWAY.words)
  const known = drill.reason ?? phone.trouble
  // It sent other texts meanwhile: this one waited behind them.
  const isBusy = message.attempt === 0 && phone.reportedAtMono > now.monoMs - DRILL_MS
  return isBusy && known === null ? skipped(NO_ROOM) : { outcome: 'not_sent', reason: known ?? why }
}

export function endDrill(world: World, drill: Drill, end: End): void {
  const ended = { ...drill, tookMs: null, ...end, endedAt: world.now.wallMs }
  world.drills.save(world.tx, ended)
  forget(world, ended)
  if (end.outcome !== null) world.drillMemory.count(end.outcome)
  const phone = world.fleet.phones.get(drill.deviceId)
  if (phone === undefined) return
  world.devices.noteChange(phone.device)
  const hasFailed = end.outcome === 'not_sent' || end.outcome === 'sent_not_received'
  if (drill.firstId !== null) judgeChain(world, phone, { firstId: drill.firstId, isLast: false })
  else if (hasFailed && drill.by === 'plan') planRepeat(world, phone, drill)
}

function forget({ drillMemory }: World, { id, messageId }: Drill): void {
  drillMemory.looks.delete(id)
  drillMemory.goes.delete(messageId ?? '')
}

function planRepeat(world: World, phone: Phone, { id, toDeviceId }: Drill): void {
  const fields = { by: 'plan', day: null, role: 'repeat', firstId: id, toDeviceId } as const
  const repeat = { ...newDrill(world, phone, fields), waitedMs: -DRILL_MS }
  world.drills.insert(world.tx, repeat)
  lookAgain(world, repeat, LOOK_MS)
}

/** Begins the repeat of a failed drill after its pause, with a third phone crosswise. */
function repeatWhenDue(world: World, phone: Phone, drill: Drill): void {
  const way = wayAgain(world, drill.toDeviceId)
  const hindrance = senderHindrance(world, phone) ?? (isHindrance(way) ? way : null)
  const isOver = drill.openMs >= DRILL_MS + DRILL_WAIT_MS_MAX
  const waits = drill.waitedMs < 0 || hindrance !== null || isHindrance(way)
  if (waits && isOver) return endDrill(world, drill, { outcome: 'skipped', reason: hindrance?.words ?? null })
  if (waits || !mayBegin(() => sendDrill(world, drill, { way, simSlot: slotOf(phone), write: 'save' }))) {
    world.drills.save(world.tx, drill)
    return lookAgain(world, drill, Math.min(LOOK_MS, drill.waitedMs < 0 ? -drill.waitedMs : LOOK_MS))
  }
  const third = thirdPhone(world, phone, way.target)
  if (way.target === phone || third === undefined) return
  const cross = { by: 'plan', day: null, firstId: drill.firstId } as const
  const out = wayAgain(world, third.id)
  if (isHindrance(out)) return
  mayBegin(() => beginDrill(world, phone, { ...cross, way: out, role: 'out', simSlot: slotOf(phone) }))
  mayBegin(() => beginDrill(world, third, { ...cross, way, role: 'in', simSlot: slotOf(third) }))
}

function slotOf({ device }: Phone): number | null {
  return device.drill?.simSlot ?? null
}

/** False: there is no room for a text now. */
export function mayBegin(begin: () => unknown): boolean {
  try {
    begin()
    return true
  } catch (error) {
    if (error instanceof Problem) return false
    throw error
  }
}

/** Ends what is under way as `skipped`, which is no failure: all of it, or what this says. */
export function skipOpenDrills(world: World, reason: string, concerns = (_drill: Drill) => true): void {
  for (const drill of world.drills.open().filter(concerns)) {
    world.drills.save(world.tx, { ...drill, outcome: 'skipped', reason, endedAt: world.now.wallMs })
    world.drillMemory.count('skipped')
    forget(world, drill)
    const text = world.fleet.messages.get(drill.messageId ?? '')
    if (text !== undefined && text.stage !== 'sending') endMessage(world, text, 'CANCELLED')
  }
}

/** Ends what the plan of a phone began, or only what followed crosswise. Nothing is judged by it then. */
export function endPlanned(world: World, { id }: Phone, why: 'plan removed' | 'proven'): void {
  const began = (drill: Drill) => (world.drills.find(drill.firstId ?? '') ?? drill).deviceId === id
  if (why === 'proven') skipOpenDrills(world, PROVEN_SINCE, drill => isCross(drill) && began(drill))
  else skipOpenDrills(world, PLAN_REMOVED, drill => drill.by === 'plan' && began(drill))
}

export function problemOf({ code, words }: Hindrance): Problem {
  return new Problem(code, words, code === 'CONFLICT' ? undefined : { retryAfterS: 30 })
}
