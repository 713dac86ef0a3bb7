import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { LeaderDuties } from '#app/cluster/leader-duties.ts'
import { Lease } from '#app/cluster/lease.ts'
import { REPORT_EVERY_MS } from '#app/cluster/member.ts'
import { adoptSecrets, nextSerial, noteSerial, sealSecrets } from '#app/cluster/shared-secrets.ts'
import { PhoneConnections } from '#app/phones/phone-connections.ts'
import { CONFIG_DEFAULTS } from '#contracts/config.ts'
import { createLeadershipBuffer, openLeadership } from '#rate-limit/leadership.ts'
import { dataDirectory } from '#storage/data-directory.ts'
import { readAccess, savePhoneAccess } from '#storage/phone-access-file.ts'
import { temporaryDirectory } from '#test/kit/temporary-directory.ts'

const KEY = new Uint8Array(32).fill(7)
const TERM = { lease: '1', revision: '1' }
const DEVICE = 'dev_01ARZ3NDEKTSV4RRFFQ69G5FAV'
const ACCESS = { url: 'http://127.0.0.1:9', username: 'sms', password: 'pa55w0rd', phoneId: 'p', token: 't' }

const NOTE = { name: 'gw1', url: 'https://gw1', applied: 1, lastSeen: '', modRevision: '1' }
const LOOK = {
  id: 'clu_test',
  leader: null,
  first: 1,
  head: 1,
  entries: [],
  secretsRevision: null,
  unread: [],
}

/** A leader's duties with an etcd whose answers the test gives. */
function leading(t: TestContext) {
  const folder = join(temporaryDirectory(t), 'data')
  mkdirSync(folder)
  const directory = dataDirectory(folder)
  const asked: { readonly sealed: Uint8Array; readonly answer: (isWritten: boolean) => void }[] = []
  const news = new EventTarget()
  const notes: (typeof NOTE)[] = []
  const times = { ms: 0, replaceable: 0 }
  const log = {
    writeSecrets: (_: unknown, sealed: Uint8Array) =>
      new Promise<boolean>(answer => {
        asked.push({ sealed, answer })
        news.dispatchEvent(new Event('asked'))
      }),
    keepAlive: async () => true,
    append: async () => true,
    report: async () => undefined,
    trim: async () => undefined,
    look: async () => {
      news.dispatchEvent(new Event('looked'))
      return { ...LOOK, members: notes }
    },
  }
  const leadership = openLeadership(createLeadershipBuffer())
  const pause = () => new Promise<void>(resolve => setImmediate(resolve))
  const lease = new Lease(
    { log, leadership, monoNs: process.hrtime.bigint, pause },
    TERM,
    process.hrtime.bigint(),
  )
  const duties = new LeaderDuties({
    log: log as never,
    lease,
    me: { name: 'gw0', url: 'https://gw0' },
    directory,
    clusterKey: KEY,
    head: 1,
    monoMs: () => times.ms,
    wallMs: Date.now,
    looked: () => undefined,
    replaceable: () => {
      times.replaceable += 1
    },
  })
  /** What a follower finds in `secrets/` once it has taken what was written at this call. */
  const adopted = (call: number) => {
    const other = join(temporaryDirectory(t), 'other')
    mkdirSync(other)
    adoptSecrets(dataDirectory(other), KEY, asked[call]?.sealed ?? new Uint8Array())
    return readAccess(dataDirectory(other), DEVICE)
  }
  const until = async (calls: number) => {
    while (asked.length < calls) await once(news, 'asked')
  }
  return {
    directory,
    duties,
    leadership,
    asked,
    until,
    adopted,
    notes,
    times,
    looked: () => once(news, 'looked'),
  }
}

test('a change of a phone is answered only once the other members can read its secrets', async t => {
  const { directory, duties, asked, until, adopted } = leading(t)
  const steps: string[] = []
  const writer = {
    async ask(name: string) {
      steps.push(name)
      return { kind: 'smsgate' } as never
    },
  }
  savePhoneAccess(directory, DEVICE, { ...ACCESS, ringer: { url: 'http://r', username: 'u', password: 'p' } })
  const shareSecrets = () => duties.shareSecrets()
  const phones = new PhoneConnections({
    writer,
    directory,
    config: CONFIG_DEFAULTS,
    limiter: null,
    shareSecrets,
  })
  const changed = phones.changeRinger({ accountId: 'acc', deviceId: DEVICE }, null)
  await until(1)
  assert.deepEqual(steps, ['device.find'], 'nothing was said before etcd had the secrets')
  asked[0]?.answer(true)
  await changed
  assert.deepEqual(steps, ['device.find', 'device.update'])
  assert.deepEqual(adopted(0), ACCESS)
})

test('secrets are shared one after the other, so that an older list replaces no newer one', async t => {
  const { directory, duties, asked, until, adopted } = leading(t)
  savePhoneAccess(directory, DEVICE, ACCESS)
  const first = duties.shareSecrets()
  await until(1)
  savePhoneAccess(directory, DEVICE, { ...ACCESS, password: 'another' })
  const second = duties.shareSecrets()
  await new Promise(setImmediate)
  assert.equal(asked.length, 1)
  asked[0]?.answer(true)
  await first
  await until(2)
  asked[1]?.answer(true)
  await second
  assert.equal((adopted(1) as typeof ACCESS).password, 'another')
  await duties.shareSecrets()
  assert.equal(asked.length, 2, 'nothing has changed')
})

test('a gateway that no longer leads says so, and has nothing to answer', async t => {
  const { directory, duties, leadership, asked, until } = leading(t)
  savePhoneAccess(directory, DEVICE, ACCESS)
  const shared = duties.shareSecrets()
  await until(1)
  asked[0]?.answer(false)
  await assert.rejects(shared, /no longer leads/)
  assert.equal(leadership.holds(), false)
})

test('a member could take the lead if it has reported since this gateway leads', async t => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { directory, duties, notes, times, looked, asked, until } = leading(t)
  mkdirSync(directory.secrets)
  const nextLook = async () => {
    const seen = looked()
    times.ms += REPORT_EVERY_MS
    t.mock.timers.tick(REPORT_EVERY_MS)
    await seen
    for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate)
  }
  notes.push(NOTE)
  const first = looked()
  duties.start()
  await until(1)
  asked[0]?.answer(true)
  await first
  for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate)
  await nextLook()
  assert.equal(times.replaceable, 0, 'its note is older than this leader')
  notes[0] = { ...NOTE, modRevision: '2' }
  await nextLook()
  assert.equal(times.replaceable, 1)
  for (let silent = 0; silent < 5; silent++) await nextLook()
  assert.ok(times.replaceable < 6, 'it is silent now')
  const before = times.replaceable
  await nextLook()
  assert.equal(times.replaceable, before)
  await duties.stop()
})

test('shared secrets that are damaged, or older than those of this member, are not taken', t => {
  const [leader, member] = [temporaryDirectory(t), temporaryDirectory(t)].map(dataDirectory)
  assert.ok(leader && member)
  const seal = (value: string) => {
    const serial = nextSerial(leader, 5.5)
    noteSerial(leader, serial)
    return sealSecrets(KEY, JSON.stringify({ key: Buffer.from(value).toString('base64') }), serial)
  }
  const older = seal('one')
  const newer = seal('two')
  const key = () => readFileSync(join(member.secrets, 'key'), 'utf8')
  adoptSecrets(member, KEY, older)
  assert.equal(key(), 'one')
  for (let time = 0; time < 2; time++) adoptSecrets(member, KEY, newer)
  assert.equal(key(), 'two')
  assert.throws(() => adoptSecrets(member, KEY, older), /older than those of this member/)
  for (const junk of [Buffer.from('junk'), Buffer.alloc(0), Buffer.alloc(40), newer.subarray(1)])
    assert.throws(() => adoptSecrets(member, KEY, junk))
  assert.equal(key(), 'two')
})
