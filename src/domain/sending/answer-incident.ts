import type { Phone } from '#domain/device/phone.ts'
import type { ReceivedMessage } from '#domain/inbox/inbox-store.ts'
import { listText, whichText } from '#domain/incident/incident-text.ts'
import { chooseIncident, readAnswer } from '#domain/incident/read-answer.ts'
import type { Person } from '#domain/on-call/person.ts'
import { readWrittenNumber } from '#domain/phone-number/read-written-number.ts'
import { changeIncident, textPerson } from '#domain/sending/change-incident.ts'
import type { World } from '#domain/world.ts'

/** Carries out a received text that answers an incident. Any other text changes nothing. */
export function answerIncident(world: World, phone: Phone, { from, text, simSlot }: ReceivedMessage): void {
  const { language } = world.settings
  const answer = readAnswer(text, language)
  const person = answer === null ? undefined : personWith(world, phone, { from, simSlot })
  if (answer === null || person === undefined) return
  const { onCall, incidents, replyLimit, now } = world
  const { accountId } = phone.device
  const chosen = chooseIncident(answer, person.id, incidents.live(accountId))
  if (chosen === null) return
  if (chosen.type === 'answered') {
    const { incident, verb, minutes } = chosen
    changeIncident(world, incident, { type: 'answered', personId: person.id, verb, minutes })
  } else if (replyLimit.take(person.id, now.monoMs)) {
    const nameOf = (id: string) => onCall.person(accountId, id)?.name ?? null
    const { type, incidents: named } = chosen
    const reply = type === 'which' ? whichText(named, language) : listText(named, { nameOf, language })
    textPerson(world, { person, text: reply, webhookId: null })
  }
}

interface Sender {
  readonly from: string
  readonly simSlot: number | null
}

/** The person who sent a text. The numbers of our own phones are nobody's: they would answer themselves. */
function personWith(world: World, phone: Phone, sender: Sender): Person | undefined {
  const { onCall, fleet, settings } = world
  const { accountId, sims } = phone.device
  const sim = sims.find(({ slot }) => slot === sender.simSlot) ?? (sims.length === 1 ? sims[0] : undefined)
  const number = e164Of(sender.from, sim?.countryCode ?? settings.defaultCountry)
  if (number === null) return undefined
  const isOwn = [...fleet.phonesOf(accountId)]
    .flatMap(({ device }) => device.sims)
    .some(one => one.phoneNumber !== null && e164Of(one.phoneNumber, one.countryCode ?? '') === number)
  return isOwn ? undefined : onCall.people(accountId).find(({ phoneNumber }) => phoneNumber === number)
}

/** Null: it is no full number, for example a short code or a name. */
function e164Of(written: string, country: string): string | null {
  const read = readWrittenNumber(written, country)
  return typeof read === 'string' ? null : read.e164
}
