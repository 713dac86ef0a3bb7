import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { test } from 'node:test'
import { explainFailure } from '#app/explain-failure.ts'
import { startGateway } from '#test/kit/gateway.ts'
import { runToEnd } from '#test/kit/program.ts'
import { temporaryDirectory } from '#test/kit/temporary-directory.ts'

for (const [fault, sentence] of [
  [{ code: 'EACCES', port: 80 }, /^cannot listen on port 80: only root may use ports below 1024; /],
  [{ code: 'EACCES', path: '/x' }, /^no permission for \/x as the user \w+: run this as the owner /],
  [{ code: 'EROFS', path: '/x' }, /^\/x is read-only: make it writable, /],
  [{ code: 'ERR_SQLITE_ERROR', errcode: 8 }, /^the data directory is read-only: /],
  [{ code: 'ENOSPC' }, /^the disk is full: make room /],
  [{ code: 'ERR_SQLITE_ERROR', errcode: 13 }, /^the disk is full: /],
  [{ code: 'ERR_SQLITE_ERROR', errcode: 26 }, /^the database is damaged .* roost restore FILE --data DIR$/],
  [{ code: 'ERR_SQLITE_ERROR', errcode: 779 }, /^the database is damaged /],
  [{ code: 'ERR_SQLITE_ERROR', errcode: 4874 }, /^the disk of the data directory is full or has failed: /],
  [{ code: 'ERR_SQLITE_ERROR', errcode: 778 }, /^the disk .* has failed, or the system made it read-only: /],
  [{ cause: { code: 'SELF_SIGNED_CERT_IN_CHAIN' } }, /NODE_EXTRA_CA_CERTS=\/path\/ca\.pem$/],
] as const)
  test(`${JSON.stringify(fault)} is one sentence with its remedy`, () => {
    const of = (facts: object): Error => {
      const { cause, ...rest } = facts as { cause?: object }
      return Object.assign(new Error('x', cause && { cause: of(cause) }), rest)
    }
    assert.match(explainFailure(of(fault)) ?? '', sentence)
  })

test('an unknown error keeps its stack and gets no remedy', () => {
  assert.equal(explainFailure(new TypeError('x is not a function')), null)
})

test('a port in use is reported in one sentence, and a first start then makes no directory', async t => {
  const gateway = await startGateway()
  t.after(() => gateway.stop())
  const { port } = new URL(gateway.url)
  const cwd = temporaryDirectory(t)
  const { code, stderr } = await runToEnd(['serve', '--host', '127.0.0.1', '--port', port], { cwd })
  assert.equal(code, 1)
  const next = Number(port) + 1
  assert.match(stderr, new RegExp(`:${port}: the address is in use; .* --port ${next}"`))
  assert.doesNotMatch(stderr, /\\n {4}at /)
  assert.deepEqual(readdirSync(cwd), [])
})
