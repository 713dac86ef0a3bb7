import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdirSync, statSync, writeFileSync } from 'node:fs'
import { createConnection } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { type TestContext, test } from 'node:test'
import { connectControl } from '#app/control/control-client.ts'
import { CONTROL_REQUEST_BYTES_MAX, serveControl } from '#app/control/control-socket.ts'
import { controlSocketFile } from '#app/control/control-socket-file.ts'
import type { Writer } from '#contracts/commands.ts'
import { BatchWriter } from '#test/kit/batch-writer.ts'
import { temporaryDirectory } from '#test/kit/temporary-directory.ts'

const EMAIL = 'owner@example.org'

async function serve(t: TestContext, { writer = new BatchWriter() as Writer, path = socketPath(t) } = {}) {
  const control = await serveControl(path, { writer, about: assert.fail, keeper: { check: assert.fail } })
  t.after(() => control.close())
  return { path, control }
}

function socketPath(t: TestContext): string {
  return join(temporaryDirectory(t), 'control.sock')
}

async function connect(t: TestContext, path: string) {
  const client = await connectControl(path)
  assert.ok(client)
  t.after(() => client.close())
  return client
}

/** Sends raw text and returns everything that came back. */
async function send(path: string, raw: string): Promise<string> {
  const socket = createConnection(path)
  await once(socket, 'connect')
  socket.on('error', () => {})
  socket.write(raw)
  const answered = text(socket).catch(() => '')
  socket.once('data', () => socket.end())
  return answered
}

test('questions are answered in order, refusals come back as problems', async t => {
  const { path } = await serve(t)
  const client = await connect(t, path)
  const created = client.ask('account.create', { email: EMAIL, plan: 'pro', passwordHash: null })
  const again = client.ask('account.create', { email: EMAIL, plan: 'pro', passwordHash: null })
  const listed = client.ask('account.list', {})
  assert.equal((await created).email, EMAIL)
  await assert.rejects(again, { name: 'Problem', code: 'CONFLICT' })
  assert.deepEqual(await listed, [await created])
})

test('several clients are answered at the same time', async t => {
  const { path } = await serve(t)
  const clients = await Promise.all(Array.from({ length: 8 }, () => connect(t, path)))
  await Promise.all(
    clients.map((client, i) =>
      client.ask('account.create', { email: `a${i}@b`, plan: 'free', passwordHash: null }),
    ),
  )
  assert.equal((await clients[0]?.ask('account.list', {}))?.length, 8)
})

test('without a running gateway the answer is null, even with a stale socket file', async t => {
  const path = socketPath(t)
  assert.equal(await connectControl(path), null)
  const { control } = await serve(t, { path })
  await control.close()
  writeFileSync(path, '')
  assert.equal(await connectControl(path), null)
  await serve(t, { path })
  await connect(t, path)
})

test('the socket is open to its owner alone', async t => {
  const { path } = await serve(t)
  assert.equal(statSync(path).mode & 0o777, 0o600)
})

test('a data directory whose path is too long for a socket still gets one', async t => {
  const folder = join(temporaryDirectory(t), 'x'.repeat(120))
  mkdirSync(folder)
  const { path } = await serve(t, { path: join(folder, 'control.sock') })
  const client = await connect(t, path)
  assert.deepEqual(await client.ask('account.list', {}), [])
  assert.equal(statSync(controlSocketFile(path)).mode & 0o777, 0o600)
})

test('input that is not a command is refused and never reaches the writer', async t => {
  const writer = new BatchWriter()
  const { path } = await serve(t, { writer })
  const refused = async (line: string) => {
    const { ok, problem } = JSON.parse(await send(path, `${line}\n`))
    assert.equal(ok, false)
    return problem
  }
  assert.equal((await refused('{')).code, 'INVALID_REQUEST')
  assert.equal((await refused('[]')).code, 'INVALID_REQUEST')
  assert.equal((await refused('{"name":"phone.news","input":{}}')).code, 'NOT_FOUND')
  assert.equal((await refused('{"name":"__proto__","input":{}}')).code, 'NOT_FOUND')
  const { details } = await refused('{"name":"key.create","input":{"email":"no","name":""}}')
  assert.deepEqual(
    details.issues.map(({ path }: { path: string }) => path),
    ['email', 'name', 'test'],
  )
  assert.deepEqual(writer.asked, [])
})

test('a connection whose line exceeds the size limit is closed without an answer', async t => {
  const { path } = await serve(t)
  assert.equal(await send(path, 'x'.repeat(CONTROL_REQUEST_BYTES_MAX * 2)), '')
})

test('an unexpected error of the writer is reported as an internal error, without its message', async t => {
  const writer: Writer = { ask: () => Promise.reject(new Error('secret')) }
  const { path } = await serve(t, { writer })
  const client = await connect(t, path)
  await assert.rejects(client.ask('account.list', {}), {
    code: 'INTERNAL_ERROR',
    message: /log of the gateway/,
  })
})

test('closing the socket answers the request in progress and ends all connections', async t => {
  const asked = Promise.withResolvers<void>()
  const go = Promise.withResolvers<never[]>()
  const ask = () => {
    asked.resolve()
    return go.promise
  }
  const { path, control } = await serve(t, { writer: { ask } as unknown as Writer })
  const [busy, idle] = [await connect(t, path), await connect(t, path)]
  const answer = busy.ask('account.list', {})
  await asked.promise
  const closed = control.close()
  go.resolve([])
  assert.deepEqual(await answer, [])
  await closed
  await assert.rejects(idle.ask('account.list', {}), { code: 'SERVICE_UNAVAILABLE' })
  assert.equal(await connectControl(path), null)
})
