import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ClusterLog } from '#app/cluster/cluster-log.ts'
import { type FollowEnd, Member, type OwnLease } from '#app/cluster/member.ts'
import { hashOfEntry } from '#storage/membership.ts'
import { foundingEntry, ID, KEY, keptLease, MemoryCopy } from '#test/kit/cluster-world.ts'
import { EtcdModel } from '#test/kit/etcd-model.ts'
import { Random } from '#test/kit/random.ts'
import { Process, VirtualTime } from '#test/kit/virtual-time.ts'

/** A cluster that was founded, in virtual time. */
async function founded() {
  const time = new VirtualTime()
  const dice = new Random(7)
  const etcd = new EtcdModel(time, dice)
  const first = foundingEntry()
  const founder = new Process(time, dice)
  const log = new ClusterLog(etcd.seenBy(founder))
  let isFounded = false
  const found = async (): Promise<void> => {
    if (!(await log.found(ID, first).catch(() => false)) && (await log.look(1)).id !== ID) return found()
    isFounded = true
  }
  void found()
  for (let endMs = 100; !isFounded; endMs += 100) await time.runUntil(endMs)
  /** A member that follows; `ended`: how that ended. */
  const follow = (name: string, ownLease: OwnLease) => {
    const process = new Process(time, dice)
    const copy = new MemoryCopy(hashOfEntry(first))
    const seen: { copy: MemoryCopy; process: Process; ended: FollowEnd | null } = {
      copy,
      process,
      ended: null,
    }
    const member = new Member({
      log: new ClusterLog(etcd.seenBy(process)),
      me: { name, url: `https://${name}` },
      copy,
      clusterKey: KEY,
      schema: 1,
      monoNs: process.monoNs,
      wallMs: () => 0,
      pause: process.pause,
      looked: () => undefined,
      readSecrets: async () => undefined,
      ownLease,
    })
    time.after(0, () => {
      void member.follow(new AbortController().signal).then(ended => {
        seen.ended = ended
      })
    })
    return seen
  }
  /** Runs until this is so; returns the milliseconds that it took. */
  const until = async (isSo: () => boolean): Promise<number> => {
    const begunMs = time.nowMs
    while (!isSo() && time.nowMs - begunMs < 60_000) await time.runUntil(time.nowMs + 50)
    assert.ok(isSo())
    return time.nowMs - begunMs
  }
  return { time, log, follow, until }
}

test('a member whose disk is full does not lead, and its leader does not count on it', async () => {
  const { time, log, follow, until } = await founded()
  const member = follow('gw0', keptLease())
  member.copy.hasRoom = false
  await time.runUntil(time.nowMs + 20_000)
  let members: readonly unknown[] | null = null
  void log.look(1).then(look => {
    members = look.members
  })
  await until(() => members !== null)
  assert.deepEqual([member.ended, members], [null, []])
  member.copy.hasRoom = true
  await until(() => member.ended !== null)
  assert.ok(typeof member.ended === 'object')
})

test('a gateway that was killed and is back ends the lease of its earlier process', async () => {
  const { follow, until } = await founded()
  const kept = keptLease()
  const first = follow('gw0', kept)
  await until(() => first.ended !== null)
  first.process.kill()
  const again = follow('gw0', kept)
  again.copy.take(first.copy.values)
  assert.ok((await until(() => again.ended !== null)) < 3_000)
  again.process.kill()
  // Another one has to wait for the lease.
  const other = follow('gw1', keptLease())
  other.copy.take(again.copy.values)
  assert.ok((await until(() => other.ended !== null)) > 3_000)
})

test('what somebody else wrote to etcd is passed over, and named', async () => {
  const key = (name: string, value = 'junk') => ({
    key: `roost/${name}`,
    value: Buffer.from(value),
    createRevision: '7',
    modRevision: '8',
  })
  const entry = key('log/0000000000000005', 'entry')
  const note = { name: 'b', url: 'https://b', applied: 5, lastSeen: '2026-01-01T00:00:00.000Z' }
  const members = [key('members/a'), key('members/b', JSON.stringify(note)), key('members/c', '{}')]
  const found = [
    [key('cluster', 'clu_1')],
    [key('leader', '{"name":1}')],
    [key('log/0'), entry],
    [key('log/0x'), key('log/0000000000000005x'), entry],
    [entry, key('log/0000000000000006x')],
    members,
    [key('secrets')],
  ]
  const etcd = { transact: async () => ({ succeeded: true, found, revision: '9' }) }
  const look = await new ClusterLog(etcd as never).look(5)
  assert.deepEqual(look, {
    id: 'clu_1',
    leader: null,
    first: 5,
    head: 5,
    entries: [{ number: 5, value: entry.value }],
    members: [{ ...note, modRevision: '8' }],
    secretsRevision: '8',
    unread: [
      'leader',
      'log/0',
      'log/0x',
      'log/0000000000000005x',
      'log/0000000000000006x',
      'members/a',
      'members/c',
    ].map(name => `roost/${name}`),
  })
})
