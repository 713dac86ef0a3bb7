/** How to cause each problem about drills, incidents and policies, and how to end it. */
import { type Broken, proofOf } from '#domain/drill/drill.ts'
import type { TestPhone } from '#test/kit/test-phone.ts'
import { FIELDS } from '#test/kit/webhook-world.ts'
import type { TestWorld } from '#test/kit/world.ts'

interface Rig {
  readonly world: TestWorld
  readonly accountId: string
  readonly second: TestPhone
  passTime(ms: number): void
}

interface Course {
  readonly raise: (rig: Rig) => void
  readonly clear: (rig: Rig) => void
  /** How the text to the owner begins. */
  readonly text: RegExp
}

/** What the drills of a phone have shown. */
function setBroken({ world, second }: Rig, broken: Broken | null): void {
  const phone = world.batch.fleet.phones.get(second.deviceId)
  if (phone !== undefined) phone.device = { ...phone.device, proof: { ...proofOf(phone.device), broken } }
}

export const INCIDENT_COURSES = {
  CHAIN_BROKEN: {
    raise: rig =>
      setBroken(rig, { half: 'sending', since: rig.world.wallMs, other: 'Kitchen', otherId: null }),
    clear: rig => setBroken(rig, null),
    text: /^.* does not send: its drill failed twice/,
  },
  INCIDENT_UNANSWERED: {
    raise: rig => {
      const { world, accountId, passTime } = rig
      const which = { accountId, policyId: addPolicy(rig) }
      const { id: incidentId } = world.ask('policy.alert', { ...which, text: 'NAS down' })
      world.ask('incident.next', { accountId, incidentId })
      passTime(20_000)
    },
    clear: ({ world, accountId }) => {
      for (const { subject } of world.ask('health.list', { accountId }))
        if (subject?.startsWith('inc_')) world.ask('incident.close', { accountId, incidentId: subject })
    },
    text: /^Nobody took incident 2 of Night/,
  },
  ANSWERS_CANNOT_ARRIVE: {
    raise: rig => usePolicy(rig),
    clear: ({ second }) => receive(second),
    text: /^No phone hands in received texts/,
  },
  CANNOT_RING: {
    raise: rig => {
      receive(rig.second)
      usePolicy(rig, true)
    },
    clear: ({ second }) => {
      second.close()
      second.connect({ about: { calls: true } })
    },
    text: /^No phone that can call is online, so Night only sends texts/,
  },
  PERSON_OVER_CAP: {
    raise: rig => {
      addPolicy(rig)
      rig.world.database.exec(`
        INSERT INTO recent_use (account_id, kind, subject_id, is_urgent, until)
        SELECT account_id, 'hour-over', id, 0, ${rig.world.wallMs + 3_600_000} FROM person`)
    },
    clear: ({ world }) => world.database.exec('DELETE FROM recent_use'),
    text: /^Ada has had as many texts about alerts as fit into an hour/,
  },
  NOBODY_ON_CALL: {
    raise: rig => {
      receive(rig.second)
      usePolicy(rig)
      rig.world.database.exec("UPDATE policy SET content = replace(content, 'per_', 'old_')")
    },
    clear: ({ world }) => world.database.exec("UPDATE policy SET content = replace(content, 'old_', 'per_')"),
    text: /^Step 1 of the policy Night reaches nobody/,
  },
} as const satisfies Readonly<Record<string, Course>>

/** The phone hands in a text, which shows that answers can arrive. */
function receive(phone: TestPhone): void {
  const text = { id: 'first', from: '+14155550177', message: 'hello', at: null, simSlot: null }
  phone.sendFrame({ type: 'received', ...text })
}

function addPolicy({ world, accountId }: Rig, ring = false): string {
  const person = { name: 'Ada', phoneNumber: '+14155550178', country: 'US', timeZone: null, quiet: null }
  const { id } = world.ask('person.create', { accountId, fields: person })
  const steps = [{ afterMinutes: 0, tell: [id], ring }]
  const fields = { name: 'Night', steps, rounds: 1, takenForMinutes: 240 }
  return world.ask('policy.create', { accountId, fields }).id
}

function usePolicy(rig: Rig, ring = false): void {
  const { world, accountId } = rig
  world.ask('webhook.create', { accountId, fields: { ...FIELDS, policyId: addPolicy(rig, ring) } })
}
