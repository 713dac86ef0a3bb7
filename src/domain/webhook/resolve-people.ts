import type { Recipient } from '#contracts/webhook-commands.ts'
import type { Webhook } from '#domain/webhook/webhook.ts'
import type { World } from '#domain/world.ts'

/**
 * The webhook with its people, and the people of its groups, among its recipients. Each number stands there
 * once. With a policy, a recipient with the number of a person is that person. `people` is empty then, so
 * that a second call changes nothing.
 */
export function resolvePeople({ onCall }: Pick<World, 'onCall'>, webhook: Webhook): Webhook {
  const { accountId, people, policyId } = webhook
  if (people.length === 0 && (policyId === null || webhook.recipients.length === 0)) return webhook
  const ids = people.flatMap(id =>
    id.startsWith('grp_') ? (onCall.group.find(accountId, id)?.people ?? []) : id,
  )
  const recipients = new Map<string, Recipient>(webhook.recipients.map(one => [one.phoneNumber, one]))
  const known = policyId === null ? [] : onCall.person.list(accountId)
  const same = known.filter(({ phoneNumber }) => recipients.has(phoneNumber))
  for (const person of [...same, ...ids.map(id => onCall.person.find(accountId, id))]) {
    if (person === undefined) continue
    const { id, phoneNumber, country } = person
    recipients.set(phoneNumber, { phoneNumber, country, personId: id })
  }
  return { ...webhook, recipients: [...recipients.values()], people: [] }
}
