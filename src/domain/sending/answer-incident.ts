import type { ReceivedMessage } from '#domain/inbox/inbox-store.ts'
import { listText, whichText } from '#domain/incident/incident-text.ts'
import { chooseIncident, readAnswer } from '#domain/incident/read-answer.ts'
import type { Person } from '#domain/on-call/person.ts'
import { changeIncident, mayReply, textPerson } from '#domain/sending/change-incident.ts'
import type { SenderNumber } from '#domain/sending/sender-number.ts'
import type { World } from '#domain/world.ts'

/** Carries out a received text that answers an incident. Any other text changes nothing: false. */
export function answerIncident(
  world: World,
  { accountId, text }: ReceivedMessage,
  sender: SenderNumber,
): boolean {
  const { language } = world.settings
  const answer = readAnswer(text, language)
  const person = answer === null ? undefined : personWith(world, accountId, sender)
  if (answer === null || person === undefined) return false
  const { onCall, incidents } = world
  const chosen = chooseIncident(answer, person.id, incidents.live(accountId))
  if (chosen === null) return false
  if (chosen.type === 'answered') {
    const { verb, minutes } = chosen
    const incident = incidents.get(chosen.incident.id)
    if (incident === undefined) return false
    changeIncident(world, incident, { type: 'answered', personId: person.id, verb, minutes })
  } else if (mayReply(world, { accountId, personId: person.id, isUseless: true, isUrgent: false })) {
    const nameOf = (id: string) => onCall.person(accountId, id)?.name ?? null
    const { type, incidents: named } = chosen
    const reply = type === 'which' ? whichText(named, language) : listText(named, { nameOf, language })
    textPerson(world, { person, text: reply, webhookId: null, isUrgent: false })
  }
  return true
}

/** The person who sent a text. The numbers of our own phones are nobody's: they would answer themselves. */
function personWith({ onCall }: World, accountId: string, sender: SenderNumber): Person | undefined {
  if (sender.isOwn || sender.number === null) return undefined
  return onCall.people(accountId).find(({ phoneNumber }) => phoneNumber === sender.number)
}
