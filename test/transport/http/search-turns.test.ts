import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Problem } from '#domain/problem.ts'
import { nextTurn } from '#test/kit/next-turn.ts'
import { SearchTurns } from '#transport/http/search-turns.ts'

test('searches of one account run in order, one in each turn of the event loop', async () => {
  const turns = new SearchTurns()
  let turn = 0
  let isOver = false
  const count = async () => {
    while (!isOver) {
      turn += 1
      await nextTurn()
    }
  }
  const counting = count()
  const ranIn: number[] = []
  const results = await Promise.all(
    [0, 1, 2, 3].map(at =>
      turns.run('acc_1', () => {
        ranIn.push(turn)
        return at
      }),
    ),
  )
  isOver = true
  await counting
  assert.deepEqual(results, [0, 1, 2, 3])
  assert.equal(new Set(ranIn).size, 4)
})

test('a failed search ends only itself, and too many searches of one account are refused', async () => {
  const turns = new SearchTurns()
  const failed = turns.run('acc_1', () => {
    throw new Error('broken')
  })
  const others = Array.from({ length: 8 }, () => turns.run('acc_1', () => 'found'))
  const isFull = (error: unknown) => (error as Problem).code === 'SERVICE_UNAVAILABLE'
  const refused = assert.rejects(
    turns.run('acc_1', () => 'found'),
    isFull,
  )
  const ended = assert.rejects(failed, /broken/)
  assert.equal(await turns.run('acc_2', () => 'of another account'), 'of another account')
  await Promise.all([refused, ended])
  assert.deepEqual(new Set(await Promise.all(others)), new Set(['found']))
  assert.equal(await turns.run('acc_1', () => 'again'), 'again')
})

test('pages of exports are not refused, however many wait, and searches wait behind them', async () => {
  const turns = new SearchTurns()
  const order: number[] = []
  const pages = Array.from({ length: 20 }, (_, at) => turns.take('acc_1', () => order.push(at)))
  const isFull = (error: unknown) => (error as Problem).code === 'SERVICE_UNAVAILABLE'
  await assert.rejects(
    turns.run('acc_1', () => 'found'),
    isFull,
  )
  assert.equal(await turns.run('acc_2', () => order.length < 20), true)
  await Promise.all(pages)
  assert.deepEqual(
    order,
    Array.from({ length: 20 }, (_, at) => at),
  )
})

test('an account rests for as long as its last read took, and others do not wait for that', async () => {
  const turns = new SearchTurns()
  const order: string[] = []
  const long = () => {
    for (const end = performance.now() + 50; performance.now() < end; );
  }
  await turns.take('acc_1', long)
  const second = turns.take('acc_1', () => order.push('second'))
  const other = turns.take('acc_2', () => order.push('other'))
  await Promise.all([second, other])
  assert.deepEqual(order, ['other', 'second'])
})
