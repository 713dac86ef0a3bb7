/** The list of numbers that want no more texts: how they come onto it, and leave it. */
import { ACCOUNT_BOUNDS } from '#contracts/account-bounds.ts'
import type { OptOutReference, OptOutResource, RemovedOptOut } from '#contracts/opt-out.ts'
import { say } from '#contracts/words.ts'
import type { ReceivedMessage } from '#domain/inbox/inbox-store.ts'
import { plainText } from '#domain/message/message-fields.ts'
import { describeOptOut, readStopOrStart } from '#domain/message/opt-out.ts'
import type { OptOut } from '#domain/message/opt-out-store.ts'
import { writeEvent } from '#domain/notification/write-event.ts'
import { noteUse } from '#domain/on-call/recent-use.ts'
import { checkBound, notFound, Problem } from '#domain/problem.ts'
import { cancelHeld, endQueued } from '#domain/sending/cancel-message.ts'
import { sendText } from '#domain/sending/send-text.ts'
import type { SenderNumber } from '#domain/sending/sender-number.ts'
import { DAY_MS } from '#domain/time.ts'
import type { World } from '#domain/world.ts'

/** Only a number that was texted in this time can ask for no more texts: others mean something else. */
const TEXTED_WITHIN_MS = 90 * DAY_MS

/** Puts a number on the list. One that is there stays as it is. @throws Problem CONFLICT: the list is full */
export function addOptOut(world: World, which: OptOutReference): OptOutResource {
  const { optOuts } = world
  const known = optOuts.find(which)
  if (known !== undefined) return describeOptOut(known)
  checkBound(ACCOUNT_BOUNDS.optOuts, optOuts.count(which.accountId))
  return describeOptOut(putOnList(world, which, 'owner'))
}

/** @throws Problem NOT_FOUND: the number is not on the list */
export function removeOptOut({ optOuts, tx }: World, which: OptOutReference): RemovedOptOut {
  if (optOuts.find(which) === undefined) throw notFound('number on the list of opt-outs')
  optOuts.remove(tx, which)
  return { phoneNumber: which.phoneNumber }
}

/** Does what a received text asks for, if it is nothing but a stop word, or START. */
export function heedWords(world: World, { accountId, deviceId, text }: ReceivedMessage, from: SenderNumber) {
  const word = readStopOrStart(text, world.settings.stopWords)
  if (word === null || from.number === null) return
  const { optOuts, tx, now, onCall, effects } = world
  const which = { accountId, test: false, phoneNumber: from.number }
  if (word === 'start') return optOuts.remove(tx, which)
  const isPerson = onCall.person.list(accountId).some(({ phoneNumber }) => phoneNumber === from.number)
  if (isPerson || optOuts.find(which) !== undefined) return
  if (!optOuts.wasTexted(which, now.wallMs - TEXTED_WITHIN_MS)) return
  if (optOuts.count(accountId) >= ACCOUNT_BOUNDS.optOuts.most) {
    effects.push({ kind: 'log', level: 'warn', event: 'opt_out.full', fields: { accountId } })
    return
  }
  putOnList(world, which, 'text')
  if (world.settings.confirmOptOut) confirm(world, which, { country: from.country, deviceId })
}

/** Ends what waits for the number. */
function putOnList(world: World, which: OptOutReference, by: OptOut['by']): OptOut {
  const { optOuts, tx, now, fleet } = world
  const optOut = { ...which, since: now.wallMs, by }
  optOuts.add(tx, optOut)
  for (const id of optOuts.unsent(which, now.wallMs)) {
    const open = fleet.messages.get(id)
    if (open === undefined) continue
    if (open.stage === 'sending') cancelHeld(world, open)
    else endQueued(world, open, 'OPTED_OUT')
  }
  const { accountId, test, phoneNumber } = which
  const facts = { event: 'sms.opted_out', at: now.wallMs, test, data: describeOptOut(optOut) } as const
  writeEvent(world, { accountId, subjectId: phoneNumber, ownUrl: null, facts })
  return optOut
}

/**
 * The phone that heard it answers, because its number is the one that the sender knows. A number that says
 * STOP and START in turn gets one confirmation a day, because each text costs money.
 */
function confirm(
  world: World,
  { accountId, phoneNumber }: OptOutReference,
  { country, deviceId }: { readonly country: string | null; readonly deviceId: string },
): void {
  const subject = { accountId, kind: 'stop-confirmed', subjectId: phoneNumber } as const
  if (world.recentUses.list(subject, world.now.wallMs).length > 0) return
  const text = say(world.settings.language, 'You get no more texts from us. START brings them back.')
  const chosen = { accountId, phoneNumber, country, text, deviceId, despiteOptOut: true }
  try {
    sendText(world, { ...plainText(chosen), isToPerson: true })
    noteUse(world, { ...subject, sourceId: null, isUrgent: false, isDay: true })
  } catch (error) {
    // The day is used up, or too many texts wait. The number is on the list in any case.
    if (!(error instanceof Problem)) throw error
  }
}
