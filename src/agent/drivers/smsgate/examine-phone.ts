/**
 * Checks that a phone answers at an address, runs SMSGate, accepts the password, and is the expected phone.
 */
import * as v from 'valibot'
import type { Clock } from '#agent/clock.ts'
import {
  callPhone,
  type PhoneAccess,
  type PhoneAnswer,
  PhoneFault,
} from '#agent/drivers/smsgate/call-phone.ts'
import { SIMS_MAX } from '#contracts/bounds.ts'
import type { Sim } from '#contracts/phone-orders.ts'
import { isOlderApp, SMSGATE_INBOX_VERSION_MIN, SMSGATE_VERSION_MIN } from '#contracts/smsgate.ts'

/** A phone that passed all checks. */
export interface SeenPhone {
  /** The app's own id of this phone; it stays when the address changes. */
  readonly phoneId: string
  /** Maker and model. */
  readonly name: string
  readonly appVersion: string
  readonly sims: readonly Sim[]
  /** Percent. */
  readonly battery: number | null
  readonly charging: boolean | null
  /** Why the phone cannot pass on received texts, a sentence. Null: it can. */
  readonly receiveTrouble: string | null
}

export type Examined =
  | { readonly kind: 'phone'; readonly phone: SeenPhone }
  /** `code`: as a driver reports it (`CANNOT_SEND_CODES`); `sentence`: what is wrong and what to do. */
  | { readonly kind: 'trouble'; readonly code: TroubleCode; readonly sentence: string }

type TroubleCode = 'PHONE_UNREACHABLE' | 'PHONE_REFUSED' | 'PHONE_CHANGED' | 'NOT_SMSGATE' | 'APP_TOO_OLD'

const Check = v.object({ observedValue: v.optional(v.unknown()) })
const Health = v.object({
  status: v.picklist(['pass', 'warn', 'fail']),
  version: v.string(),
  checks: v.optional(v.record(v.string(), v.fallback(Check, {})), {}),
})
type Health = v.InferOutput<typeof Health>

const optionalText = v.optional(v.nullable(v.string()), null)
const SimCard = v.object({
  simNumber: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(SIMS_MAX)),
  phoneNumber: optionalText,
  carrierName: optionalText,
})
const Device = v.object({
  id: v.pipe(v.string(), v.minLength(1)),
  name: optionalText,
  simCards: v.optional(v.nullable(v.array(v.fallback(v.nullable(SimCard), null))), null),
})

/**
 * Sends the first request without the password, so that another host at the address does not get it.
 *
 * @param expectedId the `phoneId` that the phone must have; null: any
 */
export async function examinePhone(
  clock: Clock,
  access: PhoneAccess,
  expectedId: string | null,
): Promise<Examined> {
  try {
    const answer = await callPhone(clock, access, { method: 'GET', path: '/health', withPassword: false })
    const health = v.safeParse(Health, answer.json)
    if (!health.success) return trouble('NOT_SMSGATE', notSmsgate(access.url))
    const { version } = health.output
    if (isOlderApp(version, SMSGATE_VERSION_MIN)) return trouble('APP_TOO_OLD', tooOld(version))
    const device = await callPhone(clock, access, { method: 'GET', path: '/device' })
    return readDevice(access, { answer: device, health: health.output, expectedId })
  } catch (error) {
    if (!(error instanceof PhoneFault)) throw error
    return trouble('PHONE_UNREACHABLE', whyUnreachable(error, access.url))
  }
}

function readDevice(
  { url, username }: PhoneAccess,
  seen: { readonly answer: PhoneAnswer; readonly health: Health; readonly expectedId: string | null },
): Examined {
  const { answer, health, expectedId } = seen
  if (answer.httpStatus === 401 || answer.httpStatus === 403)
    return trouble('PHONE_REFUSED', refusal(url, username))
  const device = Array.isArray(answer.json) ? v.safeParse(Device, answer.json[0]) : null
  if (answer.httpStatus !== 200 || device === null || !device.success)
    return trouble('NOT_SMSGATE', notSmsgate(url))
  const { id, name, simCards } = device.output
  if (expectedId !== null && id !== expectedId) return trouble('PHONE_CHANGED', anotherPhone(url, name ?? id))
  return {
    kind: 'phone',
    phone: {
      phoneId: id,
      name: name ?? 'SMSGate',
      appVersion: health.version,
      sims: (simCards ?? []).flatMap(card => (card === null ? [] : [simOf(card)])),
      battery: percentOf(health),
      charging: chargingOf(health),
      receiveTrouble: isOlderApp(health.version, SMSGATE_INBOX_VERSION_MIN) ? noInbox(health.version) : null,
    },
  }
}

function simOf({ simNumber, carrierName, phoneNumber }: v.InferOutput<typeof SimCard>): Sim {
  return {
    slot: simNumber,
    carrier: carrierName?.slice(0, 80) || null,
    countryCode: null,
    phoneNumber: phoneNumber?.slice(0, 32) || null,
  }
}

function percentOf({ checks }: Health): number | null {
  const level = Number(checks['battery:level']?.observedValue ?? Number.NaN)
  return level >= 0 && level <= 100 ? Math.round(level) : null
}

/** The value adds 1 for charging, 2 for mains and 4 for USB. */
function chargingOf({ checks }: Health): boolean | null {
  const flags = Number(checks['battery:charging']?.observedValue ?? Number.NaN)
  return Number.isNaN(flags) ? null : flags !== 0
}

const trouble = (code: TroubleCode, sentence: string): Examined => ({ kind: 'trouble', code, sentence })

function whyUnreachable({ kind }: PhoneFault, url: string): string {
  switch (kind) {
    case 'refused':
      return `nothing listens at ${url}: switch on "Local server" in SMSGate, and compare the port`
    case 'away':
      return `there is no route to ${url}: is the phone in this network, and is that still its address?`
    case 'silent':
      return `the phone does not answer at ${url}: is it on, in this Wi-Fi, and exempt from battery saving?`
    case 'broken':
      return `the server at ${url} ends the connection early: is it SMSGate's local server?`
  }
}

const notSmsgate = (url: string) =>
  `what answers at ${url} is not SMSGate's local server: compare address and port with the app`
const refusal = (url: string, username: string) =>
  `the phone at ${url} refuses the password of ${username}: copy both from the app's home screen`
const anotherPhone = (url: string, name: string) =>
  `another phone answers at ${url} (${name}): give each phone a fixed address in the router`
const tooOld = (version: string) =>
  `the app on the phone is SMSGate ${version}, and ${SMSGATE_VERSION_MIN} is the oldest that works: update it`
const noInbox = (version: string) =>
  `received texts do not reach Roost: update SMSGate from ${version} to ${SMSGATE_INBOX_VERSION_MIN} or newer`
