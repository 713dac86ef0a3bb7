/** Converts a webhook between the fields of its form and the body of an API call. */

import { language, t } from '#console/language.ts'
import { chosenTarget, targetFields } from '#console/phone-target.ts'
import type { PersonResource, PolicyResource } from '#contracts/on-call.ts'
import type { AlertSeverity, WebhookResource } from '#contracts/webhook.ts'

export interface Draft {
  readonly name: string
  readonly recipients: string
  /** Ids of people and groups. */
  readonly people: readonly string[]
  readonly maxPerHour: string
  readonly messageTemplate: string
  readonly allowedIps: string
  /** A phone or a group of phones; empty: any phone. */
  readonly deviceId: string
  /** Empty: nobody must answer. */
  readonly policyId: string
  readonly enabled: boolean
  /** Empty: every alert; `info` is the mildest and means the same. */
  readonly minSeverity: Exclude<AlertSeverity, 'info'> | ''
  readonly sendRecovered: boolean
  readonly summarizeOverflow: boolean
  readonly keepLastBody: boolean
  readonly gather: boolean
  /** Empty: silence is not watched. */
  readonly silentAfterMinutes: string
}

export function draftOf(webhook: WebhookResource | null): Draft {
  return {
    name: webhook?.name ?? '',
    recipients: webhook?.recipients.join('\n') ?? '',
    people: webhook?.people ?? [],
    maxPerHour: String(webhook?.maxPerHour ?? 20),
    messageTemplate: webhook?.messageTemplate ?? '',
    allowedIps: webhook?.allowedIps.join('\n') ?? '',
    deviceId: chosenTarget(webhook),
    policyId: webhook?.policyId ?? '',
    enabled: webhook?.enabled ?? true,
    minSeverity: webhook === null || webhook.minSeverity === 'info' ? '' : (webhook.minSeverity ?? ''),
    sendRecovered: webhook?.sendRecovered ?? true,
    summarizeOverflow: webhook?.summarizeOverflow ?? true,
    keepLastBody: webhook?.keepLastBody ?? true,
    gather: webhook?.gather ?? true,
    silentAfterMinutes: String(webhook?.silentAfterMinutes ?? ''),
  }
}

/** The body of `POST` and `PATCH /webhooks`. */
export function requestOfDraft(draft: Draft): object {
  const { recipients, allowedIps, maxPerHour, messageTemplate, deviceId, minSeverity, ...others } = draft
  const { silentAfterMinutes, policyId, ...rest } = others
  return {
    ...rest,
    recipients: numbersIn(recipients),
    allowedIps: allowedIps.split(/[\s,;]+/).filter(word => word !== ''),
    maxPerHour: Number(maxPerHour),
    messageTemplate: messageTemplate.trim() === '' ? null : messageTemplate,
    ...targetFields(deviceId),
    policyId: policyId === '' ? null : policyId,
    minSeverity: minSeverity === '' ? null : minSeverity,
    silentAfterMinutes: silentAfterMinutes === '' ? null : Number(silentAfterMinutes),
  }
}

/** A zero that stands apart after the country code: the gateway decides whether it belongs to the number. */
const ZERO_APART = /^\s*\+\d{1,3}[\s()-]+0/

/** The numbers in a text, separated by lines or commas. A number may contain blanks. */
export function numbersIn(text: string): readonly string[] {
  return text
    .split(/[\n,;]+/)
    .map(one => (ZERO_APART.test(one) ? one.trim() : one.replace(/[\s()-]/g, '')))
    .filter(one => one !== '')
}

/** Somebody, or a group, that a webhook can name. */
export interface Named {
  readonly id: string
  readonly name: string
}

/** The draft with the people and groups whose names are among its numbers. Names may differ in their case. */
export function withNames<D extends Pick<Draft, 'recipients' | 'people'>>(
  draft: D,
  all: readonly Named[],
): D {
  const entries = numbersIn(draft.recipients).map(one => {
    const found = all.find(({ name }) => numbersIn(name)[0]?.toLowerCase() === one.toLowerCase())
    return { one, id: found?.id }
  })
  const ids = entries.flatMap(({ id }) => id ?? [])
  if (ids.length === 0) return draft
  const recipients = entries.flatMap(({ one, id }) => (id === undefined ? [one] : [])).join('\n')
  return { ...draft, recipients, people: [...new Set([...draft.people, ...ids])] }
}

/** Who gets the texts of a webhook, in short; null: nobody but the people of its policy. */
export function heardBy({
  recipients,
  people,
}: Pick<WebhookResource, 'recipients' | 'people'>): string | null {
  const numbers =
    recipients.length === 1 ? (recipients[0] ?? '') : t('{count} numbers', { count: recipients.length })
  const named = t('somebody by name|{count} by name', { count: people.length })
  const parts = [...(recipients.length > 0 ? [numbers] : []), ...(people.length > 0 ? [named] : [])]
  return parts.length === 0 ? null : new Intl.ListFormat(language.tag).format(parts)
}

/** The recipients that the first step of the policy tells at once, too: people, and their numbers. */
export function alsoInPolicy(
  { recipients, people }: Pick<Draft, 'recipients' | 'people'>,
  policy: Pick<PolicyResource, 'steps'> | undefined,
  all: readonly Pick<PersonResource, 'id' | 'name' | 'phoneNumber'>[],
): readonly Pick<PersonResource, 'id' | 'name' | 'phoneNumber'>[] {
  const told = new Set(policy?.steps[0]?.tell)
  const numbers = numbersIn(recipients)
  return all.filter(
    ({ id, phoneNumber }) => told.has(id) && (people.includes(id) || numbers.includes(phoneNumber)),
  )
}
