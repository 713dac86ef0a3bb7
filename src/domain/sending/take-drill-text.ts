import { ENGLISH, say } from '#contracts/words.ts'
import type { Phone } from '#domain/device/phone.ts'
import { type Drill, isCross, LATE_MS_MAX, proofOf } from '#domain/drill/drill.ts'
import { codesIn } from '#domain/drill/drill-text.ts'
import { saveProof } from '#domain/sending/judge-chain.ts'
import { offerMessages } from '#domain/sending/offer-messages.ts'
import { endDrill, endPlanned } from '#domain/sending/run-drills.ts'
import type { World } from '#domain/world.ts'

/**
 * Takes a received text that has the code of a drill of the account, whoever it says it is from. True: it is
 * of a drill, also of one that has ended, and nothing else is done with it.
 */
export function takeDrillText(world: World, by: Phone, text: string): boolean {
  const codes = codesIn(text)
  const [drill] = codes.length === 0 ? [] : world.drills.withCodes(by.device.accountId, codes)
  if (drill === undefined) return false
  const { monoMs, wallMs } = world.now
  const message = world.messages.find(world.tx, drill.messageId ?? '')
  if (drill.outcome === null && message !== undefined && message.attempt > 0) {
    const wentAt = world.drillMemory.goes.get(message.id)
    const tookMs = wentAt === undefined ? null : Math.round(monoMs - wentAt)
    prove(world, { drill, by, tookMs, phoneNumber: message.phoneNumber })
    const isOther = by.id !== drill.toDeviceId
    const reason = isOther ? say(ENGLISH, 'another phone handed it in: {1}', { 1: by.device.name }) : null
    endDrill(world, drill, { outcome: 'proven', reason, tookMs })
  } else if (drill.outcome === 'sent_not_received' && wallMs - (drill.endedAt ?? 0) <= LATE_MS_MAX) {
    world.drills.save(world.tx, { ...drill, outcome: 'late' })
    world.drillMemory.count('late')
  }
  return true
}

interface Proved {
  readonly drill: Drill
  readonly by: Phone
  readonly tookMs: number | null
  readonly phoneNumber: string
}

function prove(world: World, { drill, by, tookMs, phoneNumber }: Proved): void {
  const { wallMs } = world.now
  const isOwnWord = drill.by === 'hand' && by.id === drill.toDeviceId && by.device.phoneNumber === phoneNumber
  saveProof(world, by, { receives: wallMs, ...(isOwnWord && { isNumberProven: true }) })
  const sender = world.fleet.phones.get(drill.deviceId)
  if (sender === undefined) return
  const { broken } = proofOf(sender.device)
  // What goes crosswise says nothing of another way, but that the phone sends.
  const isOver = !isCross(drill) || (drill.role === 'in' && broken?.half === 'sending')
  if (drill.firstId === null) endPlanned(world, sender, 'proven')
  saveProof(world, sender, { sends: wallMs, tookMs, broken: isOver ? null : broken })
  if (isOver && broken?.half === 'sending') offerMessages(world, sender)
}
