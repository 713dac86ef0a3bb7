import type { DeviceReference, Writer } from '#contracts/commands.ts'
import { UpdateDeviceRequest } from '#contracts/device.ts'
import { parsePhoneNumber, refuseNumber } from '#domain/phone-number/parse-phone-number.ts'
import { rightFields, Validation } from '#transport/http/body.ts'

interface ChangePorts {
  readonly writer: Writer
  readonly phones: {
    /** Why the gateway may not connect to this address of a phone; null: it may. */
    refusalOf(url: string): Promise<string | null>
  }
}

/** Fields that only one kind of phone has. */
const KIND_OF = {
  url: 'smsgate',
  username: 'smsgate',
  password: 'smsgate',
  ringer: 'smsgate',
  pin: 'modem',
} as const

/**
 * The change of a device in a body. One refusal lists all faults, so that nothing is changed by a call that
 * is refused later.
 *
 * @throws Problem INVALID_REQUEST, NOT_FOUND
 */
export async function readDeviceChange(
  { writer, phones }: ChangePorts,
  which: DeviceReference,
  json: unknown,
): Promise<UpdateDeviceRequest> {
  const validation = new Validation()
  const parsed = validation.parse(UpdateDeviceRequest, json)
  const right = rightFields(UpdateDeviceRequest, json)
  const { phoneNumber = null } = right
  if (phoneNumber !== null && parsePhoneNumber(phoneNumber) === null)
    validation.add('phoneNumber', refuseNumber(phoneNumber))
  const ofOneKind = Object.entries(KIND_OF).filter(([field]) => field in right)
  if (ofOneKind.length === 0) return validation.complete(parsed)
  const { kind } = await writer.ask('device.find', which)
  for (const [field, wanted] of ofOneKind)
    if (kind !== wanted) validation.add(field, `can be changed only for phones of the kind ${wanted}`)
  const addresses = { url: right.url, 'ringer.url': right.ringer?.url }
  for (const [path, url] of Object.entries(addresses)) {
    const refusal = url === undefined || kind !== 'smsgate' ? null : await phones.refusalOf(url)
    if (refusal !== null) validation.add(path, refusal)
  }
  return validation.complete(parsed)
}
