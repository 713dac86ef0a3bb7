/** Texts as ModemManager keeps them. */
import * as v from 'valibot'
import { type Bus, BusError } from '#agent/drivers/modem/bus.ts'
import { callManager, MESSAGING, propertiesOf, type SeenModem, SMS } from '#agent/drivers/modem/seen-modem.ts'

/** MMSmsPduType. */
export const SMS_KIND = { received: 1, sent: 2, report: 3 } as const
/** MMSmsState. While a text is being sent, its state is still unknown. */
export const SMS_STATE = { unknown: 0, receiving: 2, received: 3, sent: 5 } as const

const Sms = v.object({
  State: v.optional(v.number(), 0),
  PduType: v.optional(v.number(), 0),
  Number: v.optional(v.string(), ''),
  Text: v.optional(v.string(), ''),
  Timestamp: v.optional(v.string(), ''),
  MessageReference: v.optional(v.number(), 0),
  DeliveryState: v.optional(v.number(), 256),
})

export interface SeenSms extends v.InferOutput<typeof Sms> {
  readonly path: string
}

/** Null: it is gone. @throws BusError */
export async function readSms(bus: Bus, path: string): Promise<SeenSms | null> {
  try {
    return { path, ...v.parse(Sms, await propertiesOf(bus, path, SMS)) }
  } catch (error) {
    if (error instanceof BusError && /\.Unknown(?:Method|Object)$/.test(error.errorName ?? '')) return null
    throw error
  }
}

/** @throws BusError */
export async function deleteSms(bus: Bus, { path }: Pick<SeenModem, 'path'>, sms: string): Promise<void> {
  await callManager(bus, { path, interface: MESSAGING, member: 'Delete', types: 'o', args: [sms] })
}

/** The number that ModemManager gave the text, which grows. */
export const indexOf = (path: string) => Number(path.slice(path.lastIndexOf('/') + 1))

/** The last digits of a number: a network may write the same number with or without its country. */
export const endOf = (number: string) => number.replace(/\D/g, '').slice(-8)
