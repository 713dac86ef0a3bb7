/** An account that is filled at its doors, and what it may hold only so many of. */
import { ACCOUNT_BOUNDS } from '#contracts/account-bounds.ts'
import { startIncidents } from '#test/kit/incident-world.ts'
import { plantRows } from '#test/kit/plant-rows.ts'
import { FIELDS } from '#test/kit/webhook-world.ts'
import type { TestWorld } from '#test/kit/world.ts'

const HOUR_MS = 3_600_000
const ROOM_MAX = 500_000
const NAMED = { name: 'One' }

export type FullRig = ReturnType<typeof fullRig>

/** An account with a phone, three people, a policy and a webhook. `world`: absent, a new one in memory. */
export function fullRig(world?: TestWorld) {
  const it = startIncidents({ steps: [[0, ['ada']]], fields: { maxPerHour: 1000 }, ...(world && { world }) })
  const { accountId } = it
  Object.assign(it.world.settings, { messagesOpenMax: ROOM_MAX })
  const personId = it.people.ada
  return {
    ...it,
    personId,
    makeRota: () => {
      const fields = { ...NAMED, people: [personId], days: 7, handover: 'mon 09:00', timeZone: null }
      return it.world.ask('rota.create', { accountId, fields } as never)
    },
    /** Makes another account with a phone. Returns its id. */
    pairOther() {
      const other = { email: 'b@example.org', plan: 'standard', passwordHash: null }
      const { accountId: otherId } = it.world.ask('account.create', other)
      const { code } = it.world.ask('device.create-pairing', { accountId: otherId, name: null })
      it.world.ask('device.pair', { code, name: null, platform: null, appVersion: null })
      return otherId
    },
  }
}

interface Made {
  /** How many a new account has, or `prepare` makes. */
  readonly held: number
  /** Returns what makes one more. */
  readonly prepare: (rig: FullRig) => (number: number) => unknown
}

/** What an owner makes one by one, until it is refused. */
export const MADE = {
  webhooks: {
    held: 1,
    prepare:
      ({ world, accountId }) =>
      () =>
        world.ask('webhook.create', { accountId, fields: FIELDS }),
  },
  phones: {
    held: ACCOUNT_BOUNDS.phones.most - 1,
    prepare({ world, accountId, pair }) {
      plantRows(world.database, {
        table: 'device',
        like: `account_id = '${accountId}'`,
        count: ACCOUNT_BOUNDS.phones.most - 2,
        change: number => ({ id: `dev_${number}`, token_hash: null, announced_online: 0 }),
      })
      world.restart()
      return pair
    },
  },
  people: {
    held: 3,
    prepare:
      ({ world, accountId }) =>
      number => {
        const phoneNumber = `+1415556${String(number).padStart(4, '0')}`
        const fields = { ...NAMED, phoneNumber, country: 'US', timeZone: null, quiet: null }
        world.ask('person.create', { accountId, fields })
      },
  },
  groups: {
    held: 0,
    prepare:
      ({ world, accountId, personId }) =>
      () =>
        world.ask('group.create', { accountId, fields: { ...NAMED, people: [personId] } }),
  },
  policies: {
    held: 1,
    prepare:
      ({ world, accountId, personId }) =>
      () => {
        const steps = [{ afterMinutes: 0, tell: [personId], ring: false }]
        const fields = { ...NAMED, steps, rounds: 1, takenForMinutes: 60 }
        world.ask('policy.create', { accountId, fields })
      },
  },
  overrides: {
    held: 0,
    prepare({ world, accountId, makeRota, personId }) {
      const { id } = makeRota()
      return number => {
        const from = world.wallMs + number * HOUR_MS
        const fields = { personId, from, until: from + HOUR_MS }
        world.ask('rota.override', { accountId, id, fields } as never)
      }
    },
  },
  rotas: { held: 0, prepare: ({ makeRota }) => makeRota },
  users: {
    held: 1,
    prepare:
      ({ world, accountId }) =>
      number =>
        world.ask('user.invite', { accountId, email: `u${number}@example.org`, role: 'viewer' }),
  },
  keys: {
    held: 0,
    prepare:
      ({ world, accountId }) =>
      () =>
        world.ask('key.create-own', { accountId, ...NAMED, test: false, cleanText: false }),
  },
  readings: {
    held: 0,
    prepare:
      ({ world, ids }) =>
      number => {
        const roles = { thing: 'a', state: 'b', reason: null, over: [] }
        world.ask('webhook.settle', { ...ids, shape: `s${number}`, roles } as never)
      },
  },
  pairings: {
    held: 0,
    prepare:
      ({ world, accountId }) =>
      () =>
        world.ask('device.create-pairing', { accountId, name: null }),
  },
  liveSocketsOfUser: {
    held: 0,
    prepare:
      ({ world, accountId }) =>
      socket =>
        world.ask('live.join', { accountId, listener: 1, socket, userId: 'usr_1' }),
  },
  liveSockets: {
    held: 0,
    prepare:
      ({ world, accountId }) =>
      socket =>
        world.ask('live.join', { accountId, listener: 2, socket, userId: `usr_${socket}` }),
  },
  forwards: {
    held: 0,
    prepare:
      ({ world, accountId }) =>
      () => {
        const chosen = { from: null, contains: null, codes: false, enabled: true }
        const url = 'https://ntfy.sh/topic'
        const fields = { ...NAMED, kind: 'ntfy', url, target: null, credential: null, ...chosen } as const
        world.ask('forward.create', { accountId, fields })
      },
  },
  deviceGroups: {
    held: 0,
    prepare:
      ({ world, accountId, deviceId }) =>
      () => {
        const fallback = { fallback: 'any' as const, fallbackAfterMinutes: 5 }
        world.ask('device-group.create', {
          accountId,
          fields: { ...NAMED, devices: [deviceId], ...fallback },
        })
      },
  },
} as const satisfies Readonly<Record<string, Made>>

export type MadeName = keyof typeof MADE
