import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nextTurn } from '#test/kit/next-turn.ts'
import { NOTIFICATION_LOOKUP_SLOW_MS, shareLookUps } from '#transport/notification/share-look-ups.ts'

/** A resolver whose answers the test controls. */
function rig() {
  let nowMs = 0
  const asked: { name: string; answer: PromiseWithResolvers<readonly string[]> }[] = []
  const lookUp = shareLookUps(
    name => {
      const answer = Promise.withResolvers<readonly string[]>()
      asked.push({ name, answer })
      return answer.promise
    },
    () => nowMs,
  )
  return {
    lookUp,
    /** The names that are being resolved. */
    names: () => asked.map(({ name }) => name),
    /** Ends the first look-up after so long: with these addresses, or with an error if absent. */
    async ends(afterMs: number, addresses?: readonly string[]): Promise<void> {
      nowMs += afterMs
      const first = asked.shift()
      if (addresses === undefined) first?.answer.reject(new Error('EAI_AGAIN'))
      else first?.answer.resolve(addresses)
      await nextTurn()
    },
  }
}

test('simultaneous look-ups of a name share one query', async () => {
  const { lookUp, names, ends } = rig()
  const wanted = [lookUp('one.test'), lookUp('one.test'), lookUp('two.test')]
  assert.deepEqual(names(), ['one.test', 'two.test'])
  await ends(1, ['192.0.2.1'])
  await ends(1, ['192.0.2.2'])
  assert.deepEqual(await Promise.all(wanted), [['192.0.2.1'], ['192.0.2.1'], ['192.0.2.2']])
  const again = assert.rejects(lookUp('one.test'), /EAI_AGAIN/)
  assert.deepEqual(names(), ['one.test'])
  await ends(1)
  await again
})

test('slow names are looked up one at a time until they succeed', async () => {
  const { lookUp, names, ends } = rig()
  const given: Promise<unknown>[] = []
  const want = (...wanted: string[]) => {
    for (const name of wanted) given.push(lookUp(name).catch(() => 'none'))
  }
  want('dead1.test', 'dead2.test', 'late.test')
  await ends(NOTIFICATION_LOOKUP_SLOW_MS)
  await ends(0)
  await ends(0, ['192.0.2.3'])
  assert.deepEqual(await Promise.all(given.splice(0)), ['none', 'none', ['192.0.2.3']])
  want('dead1.test', 'dead2.test', 'late.test')
  await nextTurn()
  assert.deepEqual(names(), ['late.test', 'dead1.test'])
  await ends(0, ['192.0.2.3'])
  await ends(NOTIFICATION_LOOKUP_SLOW_MS)
  assert.deepEqual(names(), ['dead2.test'])
  await ends(NOTIFICATION_LOOKUP_SLOW_MS - 1)
  await Promise.all(given.splice(0))
  want('dead1.test', 'dead2.test')
  await nextTurn()
  assert.deepEqual(names(), ['dead2.test', 'dead1.test'])
})
