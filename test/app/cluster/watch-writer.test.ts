import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ClusterLog } from '#app/cluster/cluster-log.ts'
import { Lease } from '#app/cluster/lease.ts'
import { watchWriter } from '#app/cluster/watch-writer.ts'
import { createLeadershipBuffer, openLeadership } from '#rate-limit/leadership.ts'
import { EtcdModel } from '#test/kit/etcd-model.ts'
import { Random } from '#test/kit/random.ts'
import { Process, VirtualTime } from '#test/kit/virtual-time.ts'

/** A leader in virtual time, whose writer answers until it hangs. */
async function leading() {
  const time = new VirtualTime()
  const dice = new Random(3)
  const process = new Process(time, dice)
  const { monoNs, pause } = process
  const log = new ClusterLog(new EtcdModel(time, dice).seenBy(process))
  const leadership = openLeadership(createLeadershipBuffer(), monoNs)
  const seen = { lost: null as string | null, asked: 0 }
  let answered: Promise<void> = Promise.resolve()
  let answer = () => {}
  const ask = () => {
    seen.asked += 1
    return answered
  }
  const watch = watchWriter({ ask, monoMs: () => Number(monoNs() / 1_000_000n), pause })
  void log.grant(4).then(lease => {
    const kept = new Lease({ log, leadership, monoNs, pause }, { lease, revision: '1' }, monoNs())
    kept.mayRenew = () => !watch.hangs()
    void kept.keep().then(reason => {
      seen.lost = reason
    })
  })
  await time.runUntil(20_000)
  return {
    ...{ time, seen, watch },
    hang() {
      answered = new Promise(resolve => {
        answer = resolve
      })
    },
    goOn() {
      answered = Promise.resolve()
      answer()
    },
  }
}

test('the lease of a leader whose writer hangs ends, so that another member goes on in time', async () => {
  const { time, seen, hang } = await leading()
  assert.equal(seen.lost, null)
  hang()
  await time.runUntil(time.nowMs + 9_000)
  assert.match(seen.lost ?? '', /the writer does not answer/)
})

test('a writer that answers again keeps the lease', async () => {
  const { time, seen, watch, hang, goOn } = await leading()
  for (let round = 0; round < 5; round++) {
    hang()
    await time.runUntil(time.nowMs + 5_000)
    assert.ok(watch.hangs())
    goOn()
    await time.runUntil(time.nowMs + 3_000)
    assert.ok(!watch.hangs())
  }
  assert.equal(seen.lost, null)
})

test('a watch that has stopped asks nothing more, and says nothing', async () => {
  const { time, seen, watch, hang } = await leading()
  hang()
  await time.runUntil(time.nowMs + 2_000)
  watch.stop()
  const { asked } = seen
  await time.runUntil(time.nowMs + 10_000)
  assert.deepEqual([watch.hangs(), seen.asked, seen.lost], [false, asked, null])
})
