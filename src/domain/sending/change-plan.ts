import type { DeviceChange } from '#contracts/device.ts'
import type { Device, Phone } from '#domain/device/phone.ts'
import { isKnownMute, proofOf, type StoredPlan } from '#domain/drill/drill.ts'
import { localDay } from '#domain/on-call/local-time.ts'
import { parsePhoneNumber, refuseNumber } from '#domain/phone-number/parse-phone-number.ts'
import { invalid, Problem } from '#domain/problem.ts'
import { hasNumber } from '#domain/sending/sender-number.ts'
import type { World } from '#domain/world.ts'

type Change = Pick<DeviceChange, 'drill' | 'phoneNumber'>

/**
 * The number and plan of a phone after a change. A plan that stays the same keeps its days.
 *
 * @throws Problem INVALID_REQUEST (number, phone of the plan); CONFLICT (another phone has the number)
 */
export function withDrills(world: World, phone: Phone, change: Change): Partial<Device> {
  const { device } = phone
  const number =
    change.phoneNumber === undefined ? device.phoneNumber : readNumber(world, phone, change.phoneNumber)
  const proof = proofOf(device)
  return {
    phoneNumber: number,
    drill: change.drill === undefined ? device.drill : readPlan(world, phone, change.drill),
    proof: device.proof && {
      ...proof,
      isNumberProven: proof.isNumberProven && number === device.phoneNumber,
      // Without a plan nothing would end it but a drill by hand.
      broken: change.drill === null && !isKnownMute(device) ? null : proof.broken,
    },
  }
}

function readNumber({ fleet }: World, phone: Phone, written: string | null): string | null {
  if (written === null) return null
  const number = parsePhoneNumber(written)?.e164
  if (number === undefined) throw invalid([{ path: 'phoneNumber', message: refuseNumber(written) }])
  const { accountId } = phone.device
  if ([...fleet.phonesOf(accountId)].some(one => one !== phone && hasNumber(one.device, number)))
    throw new Problem('CONFLICT', 'another phone of the account has this number')
  return number
}

function readPlan(world: World, phone: Phone, plan: NonNullable<Change['drill']> | null): StoredPlan | null {
  if (plan === null) return null
  const { accountId, drill } = phone.device
  const { every, at, to, simSlot } = plan
  if (to !== null && world.fleet.phoneOf(accountId, to) === undefined)
    throw invalid([{ path: 'drill.to', message: 'the account has no such phone' }])
  const isSame = drill?.every === every && drill.at === at && drill.to === to && drill.simSlot === simSlot
  const { wallMs } = world.now
  if (isSame && drill !== null) return drill
  return { every, at, to, simSlot, madeAt: wallMs, madeDay: localDay(wallMs, world.settings.timeZone()) }
}
