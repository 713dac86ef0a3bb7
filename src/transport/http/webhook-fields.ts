/** The fields of a webhook that need more than their schema: recipients as people write them, and IPs. */
import * as v from 'valibot'
import {
  ALLOWED_IP_LENGTH_MAX,
  ALLOWED_IPS_MAX,
  PHONE_NUMBER_LENGTH_MAX,
  RECIPIENTS_MAX,
} from '#contracts/bounds.ts'
import type { Recipient } from '#contracts/webhook-commands.ts'
import { parseAddressBlock } from '#domain/network/address-block.ts'
import { regionOf } from '#domain/phone-number/parse-phone-number.ts'
import { readWrittenNumber } from '#domain/phone-number/read-written-number.ts'
import type { Validation } from '#transport/http/body.ts'
import type { RoutePorts } from '#transport/http/route-ports.ts'

type RecipientPorts = Pick<RoutePorts, 'numbers' | 'defaultCountry'>

/** The body with + in front of recipients that can be read without it. The schema refuses the others. */
export function withReadRecipients({ numbers, defaultCountry }: RecipientPorts, json: unknown): unknown {
  const { recipients } = json as { readonly recipients?: unknown }
  if (!Array.isArray(recipients) || recipients.length > RECIPIENTS_MAX) return json
  const read = recipients.map((text: unknown) => {
    const number = typeof text === 'string' ? readWrittenNumber(text, defaultCountry(), numbers) : ''
    return typeof number === 'string' ? text : number.e164
  })
  return { ...(json as object), recipients: read }
}

/** Fields that need more checks than their schema. Entries of a wrong type are left to the schema. */
const Loose = v.object({
  recipients: v.fallback(v.array(v.unknown()), []),
  allowedIps: v.fallback(v.array(v.unknown()), []),
})

/** Adds faults that the schema cannot find. Returns the parsed recipients; undefined: the body has none. */
export function checkFields(
  ports: RecipientPorts,
  json: unknown,
  validation: Validation,
): readonly Recipient[] | undefined {
  const loose = v.safeParse(Loose, json)
  if (!loose.success) return undefined
  const { recipients, allowedIps } = loose.output
  for (const [index, rule] of allowedIps.slice(0, ALLOWED_IPS_MAX).entries()) {
    if (typeof rule !== 'string' || rule.length > ALLOWED_IP_LENGTH_MAX) continue
    const parsed = parseAddressBlock(rule)
    if (!parsed.ok) validation.add(`allowedIps.${index}`, parsed.message)
  }
  if (recipients.length === 0) return undefined
  return readRecipients(recipients.slice(0, RECIPIENTS_MAX), { ports, validation })
}

function readRecipients(
  written: readonly unknown[],
  { ports, validation }: { readonly ports: RecipientPorts; readonly validation: Validation },
): readonly Recipient[] {
  const recipients = new Map<string, Recipient>()
  for (const [index, text] of written.entries()) {
    // The schema reports entries that are not text or too long.
    if (typeof text !== 'string' || text.length > PHONE_NUMBER_LENGTH_MAX) continue
    const number = readWrittenNumber(text, ports.defaultCountry(), ports.numbers)
    if (typeof number === 'string') validation.add(`recipients.${index}`, number)
    else if (recipients.has(number.e164))
      validation.add(`recipients.${index}`, 'is listed twice: list each recipient once')
    else recipients.set(number.e164, { phoneNumber: number.e164, country: regionOf(number) })
  }
  return [...recipients.values()]
}
