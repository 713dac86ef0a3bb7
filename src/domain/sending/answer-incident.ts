import { clockOf } from '#domain/clock-words.ts'
import type { ReceivedMessage } from '#domain/inbox/inbox-store.ts'
import type { Incident, IncidentHead } from '#domain/incident/incident.ts'
import { earlyText, endedText, hintText, listText, whichText } from '#domain/incident/incident-text.ts'
import {
  type Answer,
  type ChosenIncident,
  chooseIncident,
  isToldTo,
  isWaitingFor,
  readAnswer,
} from '#domain/incident/read-answer.ts'
import type { Person } from '#domain/on-call/on-call-store.ts'
import { changeIncident, mayReply, textPerson } from '#domain/sending/change-incident.ts'
import type { SenderNumber } from '#domain/sending/sender-number.ts'
import type { World } from '#domain/world.ts'

/** A longer text that is no answer gets no reply. In UTF-16 code units. */
const HINT_LENGTH_MAX = 40
/** An answer is early if it was written so long before the first text about the incident. */
const EARLY_MS = 300_000
/** If the last texts of a SIM are off by one amount, within so much, that is how wrong the clock is. */
const SKEW_SPREAD_MS_MAX = 120_000
const SKEWS_COMPARED = 5

/** Carries out a received text that answers an incident. Any other text changes nothing: false. */
export function answerIncident(world: World, received: ReceivedMessage, sender: SenderNumber): boolean {
  const { accountId, text, deviceId, simSlot } = received
  const { settings, incidents } = world
  const person = text.trim() === '' ? undefined : personWith(world, accountId, sender)
  if (person === undefined) return false
  const via = { deviceId, simSlot }
  const live = incidents.live(accountId)
  const texts = live.filter(isToldTo(person.id)).map(one => one.text)
  const answer = readAnswer(text, settings.language, texts)
  const chosen = answer && chooseIncident(answer, person.id, live)
  const incident = chosen?.type === 'answered' ? incidents.get(chosen.incident.id) : undefined
  const isEarly = incident !== undefined && wasWrittenBefore(world, received, toldAt(incident, person))
  if (chosen?.type === 'answered' && incident !== undefined && !isEarly) {
    const { verb, minutes } = chosen
    changeIncident(world, incident, { type: 'answered', personId: person.id, verb, minutes, via })
    return true
  }
  const isLong = text.trim().length > HINT_LENGTH_MAX
  const unheard = () => (answer === null && isLong ? null : explain(world, person, { answer, chosen, live }))
  const reply = isEarly ? earlyText(incident, settings.language) : unheard()
  const asked = { accountId, personId: person.id, isUseless: true, isUrgent: false }
  if (reply !== null && mayReply(world, asked))
    textPerson(world, { person, text: reply, webhookId: null, isUrgent: false, via })
  return answer !== null && reply !== null
}

/** When the person was first told; null: that is not in the timeline any more. */
function toldAt({ timeline }: Incident, { id }: Person): number | null {
  return timeline.find(({ event, personId }) => event === 'told' && personId === id)?.at ?? null
}

/** Whether a text was written before the person knew, by the network's clock, as far as that is right. */
function wasWrittenBefore({ inbox }: World, received: ReceivedMessage, knownAt: number | null): boolean {
  const { sentAt } = received
  if (sentAt === null || knownAt === null || sentAt >= knownAt - EARLY_MS) return false
  const skews = inbox.lastSkews(received, SKEWS_COMPARED)
  const [least, most] = [Math.min(...skews), Math.max(...skews)]
  const isOneAmount = skews.length === SKEWS_COMPARED && most - least <= SKEW_SPREAD_MS_MAX
  return sentAt - (isOneAmount ? most : 0) < knownAt - EARLY_MS
}

interface Unheard {
  /** Null: the text is no answer. */
  readonly answer: Answer | null
  readonly chosen: ChosenIncident | null
  readonly live: readonly IncidentHead[]
}

/** Why a text changes nothing, or how to answer. Null: it may be about something else. */
function explain(
  { settings, incidents, onCall, now }: World,
  { id, accountId, timeZone }: Person,
  { answer, chosen, live }: Unheard,
): string | null {
  const { language } = settings
  if (answer === null) {
    const newest = live.findLast(isWaitingFor(id))
    return newest === undefined ? null : hintText(newest, language)
  }
  const ended = answer.number === null ? undefined : incidents.lastClosed(accountId, answer.number)
  if (ended?.told.includes(id)) {
    const reader = { nowMs: now.wallMs, timeZone: timeZone ?? settings.timeZone() }
    return endedText(ended, clockOf(ended.closedAt ?? now.wallMs, reader), language)
  }
  if (chosen === null || chosen.type === 'answered') return null
  if (chosen.type === 'which') return whichText(chosen.incidents, language)
  const nameOf = (person: string) => onCall.person.find(accountId, person)?.name ?? null
  return listText(chosen.incidents, { nameOf, language })
}

/** The person who sent a text. The numbers of our own phones are nobody's: they would answer themselves. */
function personWith({ onCall }: World, accountId: string, sender: SenderNumber): Person | undefined {
  if (sender.isOwn || sender.number === null) return undefined
  return onCall.person.list(accountId).find(({ phoneNumber }) => phoneNumber === sender.number)
}
