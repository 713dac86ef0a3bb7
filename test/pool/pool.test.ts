import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { PASSWORDS_WAITING_MAX } from '#contracts/bounds.ts'
import type { PoolRunOptions, PoolTaskName } from '#contracts/pool-tasks.ts'
import { PoolClient } from '#pool/pool-client.ts'
import { LARGE_ALERTS_PER_ACCOUNT_MAX, PoolHost, PREVIEWS_PER_ACCOUNT_MAX } from '#pool/pool-host.ts'
import { triggerRequest } from '#test/kit/alert-payloads.ts'
import { bundled } from '#test/kit/bundle.ts'
import { nextLook, nextTurn } from '#test/kit/next-turn.ts'

const ROGUE = bundled('rogue-pool')
const REAL = bundled('pool')
/** CPU time after which a hanging task is refused, for a quick test. */
const HANG_CPU_MS = 300
/** A task of each queue. */
const QUEUES = {
  password: 'verify-password',
  preview: 'preview-alert',
  large: 'render-large-alert',
  others: 'sign-notifications',
} as const

function open(file: string, threads = 2, idleMs = 30_000) {
  const faults: (PoolTaskName | null)[] = []
  const host = new PoolHost({ file, threads, idleMs, faulted: task => faults.push(task) })
  const client = new PoolClient(host.attachPort())
  after(async () => {
    client.close()
    await host.close()
  })
  /** Runs a task that does as ordered; the result is the number of its thread. */
  const order = (
    password: string | Int32Array,
    { queue, ...options }: PoolRunOptions & { queue?: keyof typeof QUEUES } = {},
  ) => {
    const name = QUEUES[queue ?? 'others'] as 'verify-password'
    const input = { password: password as string, hash: '' }
    return client.run(name, input, { cpuMsMax: HANG_CPU_MS, ...options }) as Promise<unknown>
  }
  return { host, client, faults, order }
}

/** A task that gets `cells` signals that it began, then waits until `open` is called. */
function gate() {
  const cells = new Int32Array(new SharedArrayBuffer(8))
  return {
    cells,
    began: () => Promise.resolve(Atomics.waitAsync(cells, 1, 0).value),
    open() {
      Atomics.store(cells, 0, 1)
      Atomics.notify(cells, 0)
    },
  }
}

test('a port of another thread hashes a password at its full cost, and verifies it', async () => {
  const { client } = open(REAL)
  const hash = await client.run('hash-password', { password: 'correct horse' })
  assert.match(hash, /^\$scrypt\$ln=15,r=8,p=3\$/)
  const verify = (password: string) => client.run('verify-password', { password, hash })
  assert.deepEqual(await Promise.all([verify('correct horse'), verify('wrong horse')]), [true, false])
})

test('a batch of notifications is signed in its order', async () => {
  const { client } = open(REAL)
  const batch = ['a', 'b'].map(id => ({ id, timestampS: 1, body: id, secret: 'whsec_AAAA' }))
  const signed = await client.run('sign-notifications', batch)
  assert.equal(new Set(signed.map(({ signature }) => signature)).size, 2)
})

test('a hanging task is refused, its thread is replaced, and other tasks go on', async () => {
  const { order, faults, host } = open(ROGUE)
  const before = await order('id')
  const [hung, other] = await Promise.allSettled([order('hang'), order('id')])
  assert.equal(hung.status === 'rejected' && hung.reason.code, 'SERVICE_UNAVAILABLE')
  assert.equal(other.status, 'fulfilled')
  const after = await Promise.all([order('id'), order('id'), order('id')])
  assert.equal(after.length, 3)
  assert.equal(typeof before, 'number')
  assert.deepEqual(faults, ['sign-notifications'])
  assert.ok(host.threadsAlive <= 2)
})

test('a task that waits for a processor is not refused, however long it waits', async () => {
  const { order, faults } = open(ROGUE)
  const { cells, began, open: openGate } = gate()
  const waits = order(cells, { cpuMsMax: HANG_CPU_MS / 2 })
  await began()
  await assert.rejects(order('hang'), { code: 'SERVICE_UNAVAILABLE' })
  openGate()
  assert.equal(typeof (await waits), 'number')
  assert.equal(faults.length, 1)
})

test('what a thread used for earlier tasks does not count', async () => {
  const { order } = open(ROGUE, 1)
  const cpuMsMax = 500
  const first = await order('work', { cpuMsMax })
  assert.equal(await order('work', { cpuMsMax }), first)
})

test('after a task used too much, those of its sender are refused for a minute', async t => {
  const { host, faults } = open(ROGUE)
  const order = (password: string, sender: string) =>
    host.run('sign-notifications', { password } as never, { cpuMsMax: HANG_CPU_MS, sender })
  const before = performance.now()
  await assert.rejects(order('hang', 'whk_1 10.0.0.1'), /used too much processor time/)
  await assert.rejects(order('hang', 'whk_1 10.0.0.1'), /a moment ago/)
  assert.equal(typeof (await order('id', 'whk_1 10.0.0.2')), 'number')
  const after = performance.now()
  t.mock.method(performance, 'now', () => before + 59_000)
  await assert.rejects(order('id', 'whk_1 10.0.0.1'), /a moment ago/)
  t.mock.method(performance, 'now', () => after + 61_000)
  assert.equal(typeof (await order('id', 'whk_1 10.0.0.1')), 'number')
  assert.deepEqual(faults, ['sign-notifications'])
})

test('a task that waited too long for a thread is refused without one', async t => {
  const { host } = open(ROGUE, 1)
  const order = (password: string | Int32Array, waitMsMax = 1_000) =>
    host.run('sign-notifications', { password } as never, { waitMsMax })
  const { cells, began, open: openGate } = gate()
  const first = order(cells)
  await began()
  const [late, patient] = [order('id'), order('id', 3_000)]
  const now = performance.now()
  t.mock.method(performance, 'now', () => now + 2_000)
  openGate()
  await assert.rejects(late, /the pool had too much to do/)
  assert.equal(await patient, await first)
})

test('of the threads that have no task any more, one stays', async () => {
  const { order, host } = open(ROGUE, 2, 1)
  const { cells, began, open: openGate } = gate()
  const first = order(cells)
  await began()
  const second = await order('id')
  openGate()
  await first
  while (host.threadsAlive > 1) await nextLook()
  for (let turns = 0; turns < 1000; turns++) await nextTurn()
  assert.equal(host.threadsAlive, 1)
  assert.ok([await first, second].includes(await order('id')))
})

test('the start of the first thread does not count as CPU time of a task', async () => {
  const { host } = open(REAL, 1)
  assert.deepEqual(await host.run('sign-notifications', [], { cpuMsMax: 1 }), [])
})

test('the first alert of a thread takes little of the time that the start of the thread takes', async () => {
  const cpuMs = () => process.cpuUsage().user / 1000
  const { host } = open(REAL, 1)
  const startedMs = cpuMs()
  await host.ready
  const readyMs = cpuMs()
  const request = triggerRequest({ body: { status: 'down', monitor: 'nas', message: 'no answer → ping' } })
  await host.run('render-alert', { request, template: null })
  assert.ok(cpuMs() - readyMs < (readyMs - startedMs) / 4, `${cpuMs() - readyMs} ms`)
})

test('with one thread, tasks behind a hanging one run on the thread that replaces it', async () => {
  const { order } = open(ROGUE, 1)
  const first = await order('id')
  const hung = order('hang')
  const next = order('id')
  await assert.rejects(hung, { code: 'SERVICE_UNAVAILABLE' })
  assert.notEqual(await next, first)
})

test('a task that throws or ends its thread fails alone, and its caller gets the error', async () => {
  const { order, faults } = open(ROGUE)
  const [thrown, exited, other] = await Promise.allSettled([order('throw'), order('exit'), order('id')])
  assert.match(String(thrown.status === 'rejected' && thrown.reason), /thrown on purpose/)
  assert.equal(exited.status, 'rejected')
  assert.equal(other.status, 'fulfilled')
  assert.equal(faults.length, 2)
  assert.equal(typeof (await order('id')), 'number')
})

test('passwords run one at a time, too many are refused, and other tasks run meanwhile', async () => {
  const { order, host } = open(ROGUE)
  const { cells, began, open: openGate } = gate()
  const first = order(cells, { queue: 'password' })
  await began()
  const waiting = Array.from({ length: PASSWORDS_WAITING_MAX }, () => order('id', { queue: 'password' }))
  await assert.rejects(order('id', { queue: 'password' }), { code: 'SERVICE_UNAVAILABLE' })
  assert.equal(host.waiting, PASSWORDS_WAITING_MAX)
  assert.equal(typeof (await order('id')), 'number')
  openGate()
  await Promise.all([first, ...waiting])
  assert.equal(Atomics.load(cells, 1), 1)
  assert.equal(host.waiting, 0)
})

test('previews run one at a time, and leave a thread free for other tasks', async () => {
  const { order } = open(ROGUE, 1)
  const { cells, began, open: openGate } = gate()
  const previews = Array.from({ length: 9 }, () => order(cells, { queue: 'preview' }))
  await began()
  assert.equal(typeof (await order('id')), 'number')
  assert.equal(Atomics.load(cells, 1), 1)
  openGate()
  await Promise.all(previews)
})

test('a thread is left for other work while large alerts of an account are rendered', async () => {
  const { order, host } = open(ROGUE, 1)
  const { cells, began, open: openGate } = gate()
  const large = [order(cells, { queue: 'large' })]
  await began()
  for (let i = 0; i < LARGE_ALERTS_PER_ACCOUNT_MAX; i += 1) large.push(order('id', { queue: 'large' }))
  await assert.rejects(order('id', { queue: 'large' }), { code: 'SERVICE_UNAVAILABLE' })
  assert.equal(host.waiting, LARGE_ALERTS_PER_ACCOUNT_MAX)
  assert.equal(typeof (await order('id')), 'number')
  openGate()
  await Promise.all(large)
  assert.equal(host.waiting, 0)
})

test('a preview is refused once too many of its account wait', async () => {
  const { order, host } = open(ROGUE)
  const { cells, began, open: openGate } = gate()
  const previews = [order(cells, { queue: 'preview' })]
  await began()
  const preview = (accountId: string) => order('id', { queue: 'preview', accountId })
  for (let i = 0; i < PREVIEWS_PER_ACCOUNT_MAX; i += 1) previews.push(preview('a'))
  previews.push(preview('b'))
  await assert.rejects(preview('a'), { code: 'SERVICE_UNAVAILABLE' })
  assert.equal(host.waiting, PREVIEWS_PER_ACCOUNT_MAX + 1)
  openGate()
  await Promise.all(previews)
})

test('a thread that cannot start fails its task, not the process', async () => {
  const failed = Promise.withResolvers<void>()
  const host = new PoolHost({
    file: join(import.meta.dirname, 'a-file-that-is-not-there.ts'),
    threads: 1,
    faulted: task => task === null && failed.resolve(),
  })
  const refused = assert.rejects(host.run('sign-notifications', []))
  await failed.promise
  await host.close()
  await refused
})

test('with one thread configured, other tasks run beside a password', async () => {
  const { order } = open(ROGUE, 1)
  const { cells, began, open: openGate } = gate()
  const password = order(cells, { queue: 'password' })
  await began()
  assert.equal(typeof (await order('id')), 'number')
  openGate()
  await password
})

test('tasks that wait when the pool closes, and later ones, are refused', async () => {
  const { order, host, client } = open(ROGUE)
  const { cells, began } = gate()
  const refused = assert.rejects(order(cells), { code: 'SERVICE_UNAVAILABLE' })
  await began()
  await host.close()
  await refused
  await assert.rejects(client.run('hash-password', { password: '' }), {
    code: 'SERVICE_UNAVAILABLE',
  })
})
