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
  DONE,
  phoneOf,
  requirePhone,
  unknownCaller,
} from '#transport/device/smsgate-cloud/cloud-ports.ts'
import { bearerOf, hashOf } from '#transport/http/authenticate.ts'
import { parseJsonObject } from '#transport/http/body.ts'
import type { Answer, Call } from '#transport/http/route.ts'
import { shapedJson } from '#transport/http/shaped-answer.ts'

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
  simCards: v.fallback(v.optional(v.array(v.fallback(v.nullable(SimCard), null)), []), []),
})

/** `POST device`: a pairing code makes a new device; a recovery token registers the same device again. */
export async function register(ports: CloudPorts, call: Call): Promise<Answer> {
  const { name, simCards } = v.parse(Registration, parseJsonObject(call.bytes))
  const token = await takeToken(ports, call, name)
  const phone = ports.reader.device(hashOf(token))
  if (phone === undefined)
    throw new Problem('UNAUTHORIZED', 'this device was removed meanwhile: pair the phone again')
  await reportPhone(ports, call, { phone, sims: simsOf(simCards) })
  const { name: login } = await ports.writer.ask('device.find', phone)
  return shapedJson({ id: phone.deviceId, token, login }, 201)
}

/** `PATCH device`: the app calls this at each start. */
export async function announce(ports: CloudPorts, call: Call): Promise<Answer> {
  const phone = requirePhone(ports, call)
  const { simCards } = v.parse(Registration, parseJsonObject(call.bytes))
  await reportPhone(ports, call, { phone, sims: simsOf(simCards) })
  return DONE
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

async function takeToken(ports: CloudPorts, call: Call, name: string | null): Promise<string> {
  const authorization = call.header('authorization')
  const [, code] = /^Code +(\S+) *$/i.exec(authorization ?? '') ?? []
  if (code !== undefined) {
    if (!/^\d{8}$/.test(code)) throw unknownCaller(call, 'the pairing code of the gateway has 8 digits')
    const { token } = await ports.writer.ask('device.pair', {
      code,
      name,
      platform: 'Android',
      appVersion: appVersionOf(call),
      address: call.client().bucketKey,
      protocol: 'smsgate-cloud',
    })
    return token
  }
  const deviceId = ports.secrets.recoveredDevice(bearerOf(authorization) ?? '')
  if (deviceId === null) throw unknownCaller(call, PAIR_BY_CODE)
  return renew(ports, deviceId)
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
