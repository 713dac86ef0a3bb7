import type { HttpRequest, HttpResponse } from 'uWebSockets.js'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Exchange, type ExchangeHost } from '#transport/http/exchange.ts'

test('a file is not copied for a caller that does not read it', () => {
  const given: unknown[] = []
  let goOn = (_offset: number) => true
  const res = {
    onAborted() {},
    cork: (write: () => void) => write(),
    writeHeader() {},
    close() {},
    tryEnd: (body: unknown) => [given.push(body) > 1, given.length > 1],
    onWritable(next: typeof goOn) {
      goOn = next
    },
  }
  const req = { getMethod: () => 'get', getUrl: () => '/', getQuery: () => '', forEach() {} }
  const host = { open: new Set(), large: { end() {} }, ended() {} }
  const exchange = new Exchange(
    res as unknown as HttpResponse,
    req as unknown as HttpRequest,
    host as unknown as ExchangeHost,
  )
  const body = new Uint8Array(100_000)
  exchange.answer({ status: 200, contentType: 'text/javascript', body })
  assert.ok(goOn(1000))
  const [, rest] = given as Uint8Array[]
  assert.equal(rest?.buffer, body.buffer)
  assert.equal(rest?.byteLength, 99_000)
})
