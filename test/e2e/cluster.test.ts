/** Real gateways with a real etcd: `apt-get install etcd-server`. */
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { openWritable } from '#storage/database.ts'
import { ClusterRig } from '#test/kit/cluster-rig.ts'
import { lacksEtcd } from '#test/kit/etcd-processes.ts'
import { findClusterFaults, killCluster } from '#test/kit/kill-cluster.ts'
import { sized } from '#test/kit/test-size.ts'
import { EtcdClient } from '#transport/etcd/etcd-client.ts'

/** What another program could write where a cluster keeps its things. */
async function passOverJunk(rig: ClusterRig, follower: number): Promise<void> {
  const etcd = new EtcdClient({ endpoints: rig.etcd.urls, ca: null, cert: null, key: null, user: null })
  const keys = ['members/x', 'members/y', 'log/0junk', 'log/00000000000000000', 'log/z', 'secrets']
  await etcd.transact(
    [],
    keys.map(key => ({ put: `roost/${key}`, value: key === 'members/y' ? '{}' : 'junk' })),
  )
  await etcd.close()
  await rig.until(() => /"cluster.unread","cause":"roost\/secrets/.test(rig.output(follower)))
}

/** One round of each kind of fault. */
const ROUNDS = sized(3, 20)
const skip = lacksEtcd()

describe('a cluster', { skip }, () => {
  test('loses nothing and sends nothing twice when its members and etcd are killed', async t => {
    const seed = Math.floor(Math.random() * 2 ** 32)
    t.diagnostic(`seed ${seed}`)
    const progress = (round: number, what: string, ms: number) => {
      t.diagnostic(`${round}: ${what}, accepts again after ${Math.round(ms)} ms`)
      return true
    }
    const records = await killCluster(t, { rounds: ROUNDS, seed, progress })
    t.diagnostic(`${records.accepted.length} texts, ${records.transmitted.length} transmitted`)
    t.diagnostic(`${records.came.length} received texts`)
    assert.deepEqual(findClusterFaults(records), [])
    assert.ok(records.accepted.length >= ROUNDS)
  })

  test('has one leader, says so, and each member takes what it needs', async t => {
    const rig = await ClusterRig.start(t, 2)
    const follower = 1
    const call = async (path: string, method = 'GET') => {
      const answer = await fetch(`${rig.urlOf(follower)}${path}`, { method })
      return { status: answer.status, json: await answer.json().catch(() => null) }
    }
    assert.equal((await call('/healthz')).status, 200)
    const refused = await call('/leaderz')
    assert.equal(refused.status, 503)
    assert.deepEqual(refused.json.error.details, { leader: rig.advertised(0) })
    assert.equal((await call('/api/v1/sms/send', 'POST')).status, 503)
    const leading = await fetch(`${rig.url}/leaderz`)
    assert.deepEqual(
      [leading.status, await leading.json()],
      [200, { success: true, data: { status: 'leader' } }],
    )
    const { role, name, quorum, leader } = await rig.until(async () => {
      const seen = await (await fetch(`${rig.url}/cluster`)).json()
      return seen.members.length === 2 && seen
    })
    assert.deepEqual([role, name, quorum, leader.name], ['leader', 'gw0', true, 'gw0'])
    const metrics = await (await fetch(`${rig.urlOf(follower)}/metrics`)).text()
    assert.match(metrics, /^roost_cluster_leader 0$/m)
    await assert.rejects(rig.cli(follower, 'key', 'create', '--account', 'owner@localhost'), /gw0 leads/)
    await assert.rejects(rig.cli(follower, 'cluster', 'invite'), /does not lead/)
    await assert.rejects(rig.cli(0, 'cluster', 'leave'), /leads: stop it first/)
    await assert.rejects(rig.cli(0, 'restore', import.meta.filename), /member of a cluster/)

    const send = () =>
      rig.api('POST', '/sms/send', { phoneNumber: '+14155550123', message: 'x', queueIfOffline: true })
    await passOverJunk(rig, follower)
    const answered = await send()
    assert.equal(answered.status, 200)
    await rig.kill(0)
    await rig.until(() => rig.address.leader === follower)
    const { messageId } = answered.data as { messageId: string }
    assert.equal(((await rig.api('GET', `/sms/${messageId}`)).data as { message: string }).message, 'x')
    // A command would write rows that vanish.
    await assert.rejects(rig.cli(0, 'key', 'create', '--account', 'owner@localhost'), /copy of the cluster/)

    rig.run(0)
    await rig.until(async () => (await rig.state(0))?.role === 'follower')
    const folders = () =>
      readdirSync(join(rig.folder, 'gw0', 'data')).filter(name => name.startsWith('aside-'))
    const seen = new Set<string>()
    // Each copy is of the size of the database, so only the newest one that differed stays.
    for (let time = 0; time < 2; time++) {
      await rig.kill(0)
      const database = openWritable(join(rig.folder, 'gw0', 'data', 'roost.db'))
      database.exec("UPDATE membership SET hash = x'00'")
      database.close()
      rig.run(0)
      // Found with the next entry.
      await send()
      const [name = ''] = await rig.until(() => {
        const found = folders().filter(one => !seen.has(one))
        return found.length === 1 && found
      })
      seen.add(name)
      await rig.until(async () => (await rig.state(0))?.role === 'follower')
    }
    assert.deepEqual(folders(), [...seen].slice(-1))
    await rig.cli(0, 'cluster', 'leave')
    assert.equal((await rig.state(0))?.role, 'waiting')
    await rig.join(0)
    assert.equal(folders().length, 2, 'what it had before it joined stays')
  })
})
