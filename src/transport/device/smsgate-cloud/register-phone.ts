/** Registers the app as a device, and reads what the app reports about itself at each start. */
import * as v from 'valibot'
import { SIMS_MAX } from '#contracts/bounds.ts'
import type { Sim } from '#contracts/phone-orders.ts'
import { Name } from '#contracts/primitives.ts'
import { formatAddress } from '#domain/network/address.ts'
import { Problem } from '#domain/problem.ts'
import {
  appVersionOf,
  type CloudPhone,
  type CloudPorts,
  countPhoneCall,
  DONE,
  phoneOf,
  requirePhone,
  unknownCaller,
} from '#transport/device/smsgate-cloud/cloud-ports.ts'
import { bearerOf, hashOf } from '#transport/http/authenticate.ts'
import { parseJsonObject } from '#transport/http/body.ts'
import { isPacked } from '#transport/http/decode-body.ts'
import type { Answer, Call, Handle, Head } from '#transport/http/route.ts'
import { shapedJson } from '#transport/http/shaped-answer.ts'

/** Longest body of a registration: a name and a few SIMs. */
const REGISTRATION_BYTES_MAX = 16_384
/** Registrations of one phone again, with its recovery token. The app registers once and keeps its token. */
const RECOVERIES_PER_MINUTE = 60

const PAIR_BY_CODE = 'choose By Code in the app, and enter the 8 digits that the gateway shows'

const Text = v.fallback(v.nullish(v.pipe(v.string(), v.maxLength(80)), null), null)
const SimCard = v.object({
  simNumber: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(SIMS_MAX)),
  phoneNumber: Text,
  carrierName: Text,
})
/** Invalid fields are ignored, because a phone that cannot register cannot send. */
const Registration = v.object({
  name: v.fallback(v.nullish(Name, null), null),
  // Only the entries that are used are checked, however long the list is.
  simCards: v.pipe(
    v.unknown(),
    v.transform(list => (Array.isArray(list) ? list.slice(0, SIMS_MAX) : [])),
    v.array(v.fallback(v.nullable(SimCard), null)),
  ),
})

/** `POST device`: a pairing code makes a new device; a recovery token registers the same device again. */
export function admitRegistration(ports: CloudPorts, head: Head): Handle {
  head.limitBody(REGISTRATION_BYTES_MAX)
  const takeToken = tokenTaker(ports, head)
  return call => register(ports, call, takeToken)
}

async function register(ports: CloudPorts, call: Call, takeToken: TakeToken): Promise<Answer> {
  const { name, simCards } = readRegistration(parseJsonObject(call.bytes))
  const token = await takeToken(name)
  const phone = ports.reader.device(hashOf(token))
  if (phone === undefined)
    throw new Problem('UNAUTHORIZED', 'this device was removed meanwhile: pair the phone again')
  await reportPhone(ports, call, { phone, sims: simsOf(simCards) })
  const { name: login } = await ports.writer.ask('device.find', phone)
  return shapedJson({ id: phone.deviceId, token, login }, 201)
}

/** `PATCH device`: the app calls this at each start. */
export function announce(ports: CloudPorts, head: Head): Handle {
  const phone = requirePhone(ports, head)
  return async call => {
    const { simCards } = readRegistration(parseJsonObject(call.bytes))
    await reportPhone(ports, call, { phone, sims: simsOf(simCards) })
    return DONE
  }
}

/** The list of SIMs may be missing. */
function readRegistration(json: object) {
  return v.parse(Registration, { simCards: undefined, ...json })
}

/** `GET device`: the phone's address as the gateway sees it; works without a token, too. */
export function showAddress({ reader }: CloudPorts, call: Call): Answer {
  const externalIp = formatAddress(call.client().address)
  const phone = phoneOf(reader, call.header('authorization'))
  return shapedJson(phone === null ? { externalIp } : { externalIp, device: { id: phone.deviceId } })
}

/** Translates the app's list of SIMs. Texts that the app has masked with `*` count as unknown. */
export function readSims(simCards: unknown): Sim[] {
  return simsOf(v.parse(Registration, { simCards }).simCards)
}

/** Makes the phone's token. `name`: the name of a new device. */
type TakeToken = (name: string | null) => Promise<string>

/** Checks the credential's form, and counts the call. @throws Problem UNAUTHORIZED, RATE_LIMIT_EXCEEDED */
function tokenTaker(ports: CloudPorts, head: Head): TakeToken {
  const authorization = head.header('authorization')
  const [, code] = /^Code +(\S+) *$/i.exec(authorization ?? '') ?? []
  if (code !== undefined) {
    if (!/^\d{8}$/.test(code)) throw unknownCaller(head, 'the pairing code of the gateway has 8 digits')
    head.count(null)
    // Only the writer knows whether the code is right, so the body of a stranger must not be unpacked.
    if (isPacked(head.header('content-encoding')))
      throw new Problem('UNSUPPORTED_MEDIA_TYPE', 'send the registration without packing')
    return async name => {
      const phone = { name, platform: 'Android', appVersion: appVersionOf(head) } as const
      const from = { address: head.client().bucketKey, protocol: 'smsgate-cloud' } as const
      return (await ports.writer.ask('device.pair', { code, ...phone, ...from })).token
    }
  }
  const deviceId = ports.secrets.recoveredDevice(bearerOf(authorization) ?? '')
  if (deviceId === null) throw unknownCaller(head, PAIR_BY_CODE)
  countPhoneCall(ports, { deviceId, what: 'recovery', perMinute: RECOVERIES_PER_MINUTE })
  return () => renew(ports, deviceId)
}

async function renew({ writer }: CloudPorts, deviceId: string): Promise<string> {
  try {
    return (await writer.ask('phone.renew', { deviceId })).token
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'NOT_FOUND') throw error
    throw new Problem('UNAUTHORIZED', `this device was removed: ${PAIR_BY_CODE}`)
  }
}

async function reportPhone(
  { writer }: CloudPorts,
  call: Call,
  { phone, sims }: { readonly phone: CloudPhone; readonly sims: readonly Sim[] },
): Promise<void> {
  const about = { platform: 'Android', appVersion: appVersionOf(call), sims }
  const news = { type: 'opened', ...about } as const
  await writer.ask('phone.news', { deviceId: phone.deviceId, connection: null, news })
}

function simsOf(cards: v.InferOutput<typeof Registration>['simCards']): Sim[] {
  return cards.slice(0, SIMS_MAX).flatMap(card => {
    if (card === null) return []
    const { simNumber: slot, carrierName, phoneNumber } = card
    return [{ slot, carrier: unmasked(carrierName), countryCode: null, phoneNumber: unmasked(phoneNumber) }]
  })
}

function unmasked(text: string | null): string | null {
  return text === null || text === '' || text.includes('*') ? null : text
}
