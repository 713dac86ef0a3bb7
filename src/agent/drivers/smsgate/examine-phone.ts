/**
 * Checks that a phone answers at an address, runs SMSGate, accepts the password, and is the expected phone.
 */
import * as v from 'valibot'
import type { Clock } from '#agent/clock.ts'
import {
  callPhone,
  type PhoneAccess,
  type PhoneAnswer,
  PhoneCallError,
} from '#agent/drivers/smsgate/call-phone.ts'
import { NAME_LENGTH_MAX, SIMS_MAX } from '#contracts/bounds.ts'
import { cleanWords } from '#contracts/clean-words.ts'
import { RECEIVE_TROUBLE, type Sim } from '#contracts/phone-orders.ts'
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

/** The app's answers about itself have at most 2 KB. */
const LOOK_BYTES_MAX = 65_536

const Check = v.object({ observedValue: v.optional(v.unknown()) })
/** `1.68.0`, also with a suffix. */
const Version = v.pipe(
  v.string(),
  v.transform(text => /^v?\d[\w.+-]{0,31}/.exec(text)?.[0] ?? ''),
  v.minLength(1),
)
const Health = v.object({
  status: v.picklist(['pass', 'warn', 'fail']),
  version: Version,
  checks: v.optional(v.record(v.string(), v.fallback(Check, {})), {}),
})
type Health = v.InferOutput<typeof Health>

const words = (lengthMax: number) =>
  v.fallback(
    v.pipe(
      v.optional(v.nullable(v.string()), null),
      v.transform(text => cleanWords(text ?? '', lengthMax) || null),
    ),
    null,
  )
const SimCard = v.object({
  simNumber: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(SIMS_MAX)),
  phoneNumber: words(32),
  carrierName: words(80),
})
const Device = v.object({
  id: v.pipe(v.string(), v.regex(/^[^\p{Cc}\p{Cf}\p{Cs}]{1,128}$/u)),
  name: words(NAME_LENGTH_MAX),
  /** Cut before the entries are looked at. */
  simCards: v.fallback(
    v.pipe(
      v.nullish(v.unknown(), []),
      v.transform(list => (Array.isArray(list) ? list.slice(0, SIMS_MAX) : [])),
      v.array(v.fallback(v.nullable(SimCard), null)),
    ),
    [],
  ),
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
    const look = { method: 'GET', answerBytesMax: LOOK_BYTES_MAX } as const
    const answer = await callPhone(clock, access, { ...look, path: '/health', withPassword: false })
    const health = v.safeParse(Health, answer.json)
    if (!health.success) return trouble('NOT_SMSGATE', notSmsgate(access.url))
    const { version } = health.output
    if (isOlderApp(version, SMSGATE_VERSION_MIN)) return trouble('APP_TOO_OLD', tooOld(version))
    const device = await callPhone(clock, access, { ...look, path: '/device' })
    return readDevice(access, { answer: device, health: health.output, expectedId })
  } catch (error) {
    if (!(error instanceof PhoneCallError)) throw error
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
      sims: simCards.flatMap(card => (card === null ? [] : [simOf(card)])),
      battery: percentOf(health),
      charging: chargingOf(health),
      receiveTrouble: isOlderApp(health.version, SMSGATE_INBOX_VERSION_MIN) ? noInbox(health.version) : null,
    },
  }
}

function simOf({ simNumber, carrierName, phoneNumber }: v.InferOutput<typeof SimCard>): Sim {
  return {
    slot: simNumber,
    carrier: carrierName,
    countryCode: null,
    phoneNumber,
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

function whyUnreachable({ kind }: PhoneCallError, url: string): string {
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
  `${RECEIVE_TROUBLE}: update SMSGate from ${version} to ${SMSGATE_INBOX_VERSION_MIN} or newer`
