import { targetFields } from '#contracts/device-group.ts'
import type { GroupResource } from '#contracts/group.ts'
import type { PersonResource, PolicyResource, RotaResource } from '#contracts/on-call.ts'
import type { Group, Person, Policy, Rota } from '#domain/on-call/on-call-store.ts'
import { onCallAt } from '#domain/on-call/turns.ts'
import { instant } from '#domain/time.ts'

/** `machineZone`: the time zone of a person without one. */
export function describePerson(
  { id, name, phoneNumber, timeZone, quiet, createdAt }: Person,
  machineZone: string,
): PersonResource {
  const zone = timeZone ?? machineZone
  return { id, name, phoneNumber, timeZone: zone, quiet, createdAt: instant(createdAt) }
}

/** `machineZone`: the time zone of a rota without one. */
export function describeRota(
  rota: Rota,
  { wallMs, machineZone }: { readonly wallMs: number; readonly machineZone: string },
): RotaResource {
  const { id, name, people, days, handover, timeZone, createdAt } = rota
  const { personId, until } = onCallAt(rota, wallMs, machineZone)
  return {
    id,
    name,
    people: [...people],
    days,
    handover,
    timeZone: timeZone ?? machineZone,
    onCall: personId,
    until: instant(until),
    overrides: rota.overrides
      .filter(one => one.until > wallMs)
      .map(one => ({ ...one, from: instant(one.from), until: instant(one.until) })),
    createdAt: instant(createdAt),
  }
}

export function describePolicy({
  id,
  name,
  steps,
  rounds,
  takenForMinutes,
  deviceId = null,
  createdAt,
}: Policy): PolicyResource {
  return {
    id,
    name,
    steps: steps.map(({ tell, ringHours = null, ...step }) => ({ ...step, tell: [...tell], ringHours })),
    rounds,
    takenForMinutes,
    ...targetFields(deviceId),
    createdAt: instant(createdAt),
  }
}

export function describeGroup({ id, name, people, createdAt }: Group): GroupResource {
  return { id, name, people: [...people], createdAt: instant(createdAt) }
}
