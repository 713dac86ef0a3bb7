import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CommandInput } from '#contracts/commands.ts'
import type { ConfigurationChange } from '#contracts/configuration.ts'
import { NOTHING_CHOSEN } from '#domain/chosen-configuration.ts'
import { MINUTE_MS } from '#domain/time.ts'
import { OWNER, watchedWorld } from '#test/kit/watched-world.ts'

type Place = CommandInput<'configuration.change'>['place']
const PLACE: Place = { dir: '/data/backups', freeBytes: 100e6, databaseBytes: 10e6 }

/** A gateway where the file says nothing, and what its owner changes. */
function chosen() {
  const gateway = watchedWorld({ recipients: null })
  const { world, accountId } = gateway
  return {
    ...gateway,
    change(change: ConfigurationChange, added = [OWNER].slice(1), place = PLACE) {
      return world.ask('configuration.change', { accountId, change, added, place })
    },
  }
}

test('copies are switched on only where three times the database is free', () => {
  const { change, world } = chosen()
  const on = { backup: { enabled: true } }
  assert.throws(() => change(on, [], { ...PLACE, freeBytes: 29e6 }), {
    code: 'CONFLICT',
    message: 'copies need 30 MB, and /data/backups has 29 MB: make room, then try again',
  })
  assert.deepEqual(world.ask('configuration.find', {}).chosen, NOTHING_CHOSEN)
  const other = { backup: { enabled: false, keepDays: 3 } }
  assert.deepEqual(change(other, [], { ...PLACE, freeBytes: 0 }).backup, other.backup)
  assert.equal(change(on, [], { ...PLACE, freeBytes: 30e6 }).backup.enabled, true)
})

test('a number that is added while something is wrong is told what it is', () => {
  const { change, failBackups, passTime, texts } = chosen()
  failBackups(true)
  passTime(10 * MINUTE_MS)
  assert.deepEqual(texts(), [])
  change({ alarms: { add: [OWNER.phoneNumber] } }, [OWNER])
  passTime(MINUTE_MS)
  assert.match(texts().join(), /^Roost: The nightly backup fails[^,]*$/)
})

test('a restart of the writer keeps what was chosen, and a number that is gone keeps its index', () => {
  const { change, world } = chosen()
  change({ alarms: { add: [OWNER.phoneNumber], heartbeatUrl: 'https://hc.example/1' } }, [OWNER])
  change({ alarms: { remove: [0] } })
  const again = change({ alarms: { add: [OWNER.phoneNumber] }, backup: { at: '04:00' } }, [OWNER])
  assert.deepEqual(again, {
    recipients: [{ ...OWNER, index: 1 }],
    nextIndex: 2,
    heartbeatUrl: 'https://hc.example/1',
    backup: { at: '04:00' },
  })
  world.restart()
  assert.deepEqual(world.ask('configuration.find', {}).chosen, again)
})

test('the numbers and the address of a removed owner are not those of the next one', () => {
  const { change, world } = chosen()
  const alarms = { add: [OWNER.phoneNumber], heartbeatUrl: 'https://hc.example/1' }
  change({ alarms, backup: { at: '04:00' } }, [OWNER])
  const [own] = world.ask('account.list', {})
  const remove = (email = '') => world.ask('account.remove', { email })
  for (const email of ['last@example.org', 'next@example.org'])
    world.ask('account.create', { email, plan: 'pro', passwordHash: null })
  const find = () => world.ask('configuration.find', {})
  const before = find()
  remove('last@example.org')
  assert.deepEqual(find(), before)
  remove(own?.email)
  assert.deepEqual(find().chosen, { ...NOTHING_CHOSEN, nextIndex: 1, backup: { at: '04:00' } })
})
