import assert from 'node:assert/strict'
import { test } from 'node:test'
import { partStates, type SettingsFacts } from '#console/settings-words.ts'
import type { ConfigurationResource } from '#contracts/configuration.ts'

const BACKUP = { enabled: true, dir: '/var/backups', secondDir: null, at: '03:30', keepDays: 7, keepWeeks: 4 }
const NOTHING: SettingsFacts = {
  email: 'ada@example.org',
  sessions: undefined,
  users: undefined,
  keys: undefined,
  configuration: undefined,
  status: undefined,
  usage: undefined,
  hasFailed: false,
}
const status = (code?: string) =>
  ({
    version: '1.0.0',
    publicUrl: 'http://pi:8080',
    problems: code === undefined ? [] : [{ code }],
  }) as unknown as NonNullable<SettingsFacts['status']>

function stateOf(path: string, known: Partial<SettingsFacts>) {
  return partStates({ ...NOTHING, ...known })[path]
}

function configured(
  change: Partial<Pick<ConfigurationResource, 'backup' | 'alarms'>>,
): ConfigurationResource {
  const alarms = { recipients: [], heartbeat: false }
  return { timeZone: 'UTC', language: 'en', backup: null, alarms, fixed: [], ...change }
}

test('a part of which nothing is known yet has no state', () => {
  assert.deepEqual(partStates(NOTHING), { 'settings/account': { facts: ['ada@example.org'] } })
})

test('what cannot be fetched is said to be unknown, and what is known stays', () => {
  const known = { status: status(), hasFailed: true }
  assert.deepEqual(stateOf('settings/backup', known), { facts: ['Not known now.'] })
  assert.deepEqual(stateOf('settings/gateway', known), { facts: ['http://pi:8080', '1.0.0'] })
})

test('the backup is amiss while none is made or the last one failed', () => {
  const state = (backup: ConfigurationResource['backup'], code?: string) =>
    stateOf('settings/backup', { configuration: configured({ backup }), status: status(code) })
  assert.deepEqual(state({ ...BACKUP, enabled: false }), {
    facts: ['No backup is made at night.'],
    isAmiss: true,
  })
  assert.deepEqual(state(BACKUP), { facts: ['Each night at 03:30', '/var/backups'] })
  assert.deepEqual(state(BACKUP, 'BACKUP_FAILED'), {
    facts: ['The last one failed', '/var/backups'],
    isAmiss: true,
  })
})

test('alarms are amiss while they reach nobody', () => {
  const state = (...hints: string[]) => {
    const recipients = hints.map((hint, index) => ({ index, hint }))
    const alarms = { recipients, heartbeat: false }
    return stateOf('settings/alarms', { configuration: configured({ alarms }) })
  }
  assert.deepEqual(state(), { facts: ['Nobody is told when the gateway has trouble'], isAmiss: true })
  assert.deepEqual(state('+1415•••0123', '+1415•••0124'), { facts: ['To 2 numbers'] })
})

test('who was invited is counted apart, and a revoked key is no key', () => {
  const users = [{ invitedUntil: null }, { invitedUntil: '2026-12-01T00:00:00.000Z' }]
  const keys = [{ revokedAt: null }, { revokedAt: '2026-11-01T00:00:00.000Z' }]
  const known = { users, keys } as unknown as Partial<SettingsFacts>
  assert.deepEqual(stateOf('users', known)?.facts, ['1 person', '1 invited'])
  assert.deepEqual(stateOf('settings/keys', known)?.facts, ['1 key'])
  assert.deepEqual(stateOf('settings/keys', { keys: [] })?.facts, ['No program has a key yet.'])
})

test('a plan is amiss when its day is used up', () => {
  const state = (smsToday: number, smsPerDay: number) => {
    const usage = { plan: 'home', usage: { smsToday }, limits: { smsPerDay } }
    return stateOf('settings/plan', { usage } as unknown as Partial<SettingsFacts>)
  }
  assert.deepEqual(state(3, 100), { facts: ['3 of 100 texts today'], isAmiss: false })
  assert.deepEqual(state(100, 100), { facts: ['100 of 100 texts today'], isAmiss: true })
  assert.deepEqual(state(100, -1), { facts: ['No limit'], isAmiss: false })
})
