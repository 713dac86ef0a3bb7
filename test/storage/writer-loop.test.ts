import assert from 'node:assert/strict'
import { on, once } from 'node:events'
import { type TestContext, test } from 'node:test'
import { MessageChannel, type MessagePort } from 'node:worker_threads'
import type { AnswersFrame } from '#contracts/thread-frames.ts'
import { unpackAnswer } from '#storage/send-row.ts'
import {
  COMMANDS_PER_BATCH_MAX,
  COMMANDS_WAITING_MAX,
  WriterLoop,
  type WriterLoopPorts,
} from '#storage/writer-loop.ts'
import { nextTurn } from '#test/kit/next-turn.ts'
import { TestWorld } from '#test/kit/world.ts'

const DEAF: Omit<WriterLoopPorts, 'batch'> = {
  monoMs: () => 0,
  log: () => undefined,
  credentialsChanged: () => undefined,
  notificationsDue: () => undefined,
  databaseFailed: () => undefined,
}

/** A loop whose next commit fails, with its message port and the error it reports when it stops. */
function failingLoop(t: TestContext) {
  const { batch } = new TestWorld()
  const fault = new Error('disk I/O error')
  batch.run = () => {
    throw fault
  }
  const failed = Promise.withResolvers<unknown>()
  const loop = new WriterLoop({ ...DEAF, batch, databaseFailed: failed.resolve })
  const { port1, port2 } = new MessageChannel()
  loop.attach(1, port2)
  t.after(() => port1.close())
  return { port: port1, failed: failed.promise, fault }
}

function ask(port: MessagePort, from: number, count: number): void {
  const calls = Array.from({ length: count }, (_, i) => ({
    id: from + i,
    name: 'gateway.check' as const,
    input: {},
  }))
  port.postMessage({ calls })
}

test('when the disk fails, all waiting commands are refused, not only the batch', async t => {
  const { port, failed, fault } = failingLoop(t)
  const asked = COMMANDS_PER_BATCH_MAX + 5
  ask(port, 1, asked)
  const refused = new Set<number>()
  for await (const [frame] of on(port, 'message') as AsyncIterable<[AnswersFrame]>) {
    for (const answer of frame.answers.map(unpackAnswer)) {
      assert.ok(!answer.ok && answer.problem.code === 'SERVICE_UNAVAILABLE')
      refused.add(answer.id)
    }
    if (refused.size === asked) break
  }
  assert.equal(await failed, fault)
})

test("commands beyond the queue's bound are refused, but notices are not", async t => {
  const { batch } = new TestWorld()
  const loop = new WriterLoop({ ...DEAF, batch })
  const { port1, port2 } = new MessageChannel()
  loop.attach(1, port2)
  t.after(() => loop.end())
  const calls = Array.from({ length: COMMANDS_WAITING_MAX + 1 }, (_, id) => ({
    id,
    name: 'gateway.state' as const,
    input: {},
  }))
  const input = { deviceId: 'dev_1', connection: { listener: 1, socket: 1 }, silentMs: 0 }
  port1.postMessage({ calls: [...calls, { id: calls.length, name: 'phone.closed', input }] })
  const refused: number[] = []
  let answered = 0
  for await (const [frame] of on(port1, 'message') as AsyncIterable<[AnswersFrame]>) {
    answered += frame.answers.length
    refused.push(
      ...frame.answers
        .map(unpackAnswer)
        .filter(({ ok }) => !ok)
        .map(({ id }) => id),
    )
    if (answered === COMMANDS_WAITING_MAX + 2) break
  }
  assert.deepEqual(refused, [COMMANDS_WAITING_MAX])
})

test('after the disk failed, commands are refused at once', async t => {
  const { port, failed } = failingLoop(t)
  const first = once(port, 'message')
  ask(port, 1, 1)
  await Promise.all([first, failed])
  const second = once(port, 'message')
  ask(port, 2, 1)
  const [{ answers }] = (await second) as [AnswersFrame]
  assert.deepEqual(
    answers.map(unpackAnswer).map(answer => [answer.id, answer.ok]),
    [[2, false]],
  )
})

test('commands that wait when the loop ends are carried out, in as many batches as needed', async t => {
  const { batch } = new TestWorld()
  const run = batch.run.bind(batch)
  const loop = new WriterLoop({ ...DEAF, batch })
  batch.run = calls => {
    // Ends the loop after the first batch, while more commands wait than fit into the next batch.
    if (calls.length === COMMANDS_PER_BATCH_MAX) queueMicrotask(() => loop.end())
    return run(calls)
  }
  const { port1, port2 } = new MessageChannel()
  t.after(() => port1.close())
  loop.attach(1, port2)
  const asked = 2 * COMMANDS_PER_BATCH_MAX + 5
  ask(port1, 1, asked)
  let answered = 0
  port1.on('message', ({ answers }: AnswersFrame) => {
    answered += answers.map(unpackAnswer).filter(({ ok }) => ok).length
  })
  await once(port1, 'close')
  assert.equal(answered, asked)
})

/** A loop with endless due deadlines, on a disk that is full until the test frees space. */
function stalledLoop() {
  const { batch } = new TestWorld()
  let stalled = true
  let wrote = false
  const said: boolean[] = []
  batch.run = () => {
    if (stalled || wrote) batch.health.noteDisk(stalled, 0)
    return { answers: [], effects: [], stalled, wrote: !stalled && wrote }
  }
  Object.defineProperty(batch, 'nextDeadline', { value: 0 })
  const waits: number[] = []
  let wake = (): void => undefined
  const setTimer = (next: () => void, inMs: number) => {
    waits.push(inMs)
    wake = next
    return undefined as never
  }
  const loop = new WriterLoop({ ...DEAF, batch, setTimer, diskFull: isFull => said.push(isFull) })
  return {
    said,
    loop,
    write: () => {
      wrote = true
    },
    waits,
    free: () => {
      stalled = false
    },
    async tryAgain() {
      wake()
      await nextTurn()
    },
  }
}

test('on a full disk deadlines are retried less and less often, but at least once a second', async () => {
  const { waits, tryAgain } = stalledLoop()
  for (let i = 0; i < 9; i++) await tryAgain()
  assert.deepEqual(waits, [10, 20, 40, 80, 160, 320, 640, 1000, 1000, 1000])
})

test('after the disk has space again, deadlines run without delay', async () => {
  const { waits, tryAgain, free } = stalledLoop()
  for (let i = 0; i < 3; i++) await tryAgain()
  free()
  await tryAgain()
  assert.deepEqual(waits, [10, 20, 40, 80, 10])
})

test('a full disk is reported once, and its end once, after a successful write', async () => {
  const { said, loop, tryAgain, free, write } = stalledLoop()
  for (let i = 0; i < 3; i++) await tryAgain()
  assert.deepEqual([said, loop.isFull], [[true], true])
  free()
  await tryAgain()
  assert.deepEqual([said, loop.isFull], [[true], true])
  write()
  for (let i = 0; i < 3; i++) await tryAgain()
  assert.deepEqual([said, loop.isFull], [[true, false], false])
})
