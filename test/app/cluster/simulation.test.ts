import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ClusterWorld, type Mutant } from '#test/kit/cluster-world.ts'
import { sized } from '#test/kit/test-size.ts'

const TRIALS = sized(25, 1_000)
const MUTANTS: readonly Mutant[] = [
  'no fence',
  'effects before the append',
  'lease too long',
  'no comparison',
]

test('members lose nothing and send nothing twice, whatever happens to them and to etcd', async t => {
  const seed = Math.floor(Math.random() * 2 ** 31)
  t.diagnostic(`seeds from ${seed}`)
  let [accepted, takeovers] = [0, 0]
  for (let trial = 0; trial < TRIALS; trial++) {
    const outcome = await new ClusterWorld(seed + trial).run()
    assert.deepEqual(outcome.faults, [], `seed ${seed + trial}`)
    accepted += outcome.accepted
    takeovers += outcome.takeovers
  }
  t.diagnostic(`${accepted} texts, ${takeovers} takeovers`)
  assert.ok(accepted > 5 * TRIALS && takeovers > TRIALS)
})

for (const mutant of MUTANTS)
  test(`the simulation finds a cluster with ${mutant}`, async () => {
    for (let seed = 1; seed <= 300; seed++) {
      const { faults } = await new ClusterWorld(seed, mutant).run()
      if (faults.some(fault => /lost|twice|another entry/.test(fault))) return
    }
    assert.fail('no trial found it')
  })
