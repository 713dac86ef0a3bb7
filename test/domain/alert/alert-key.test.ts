import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { renderAlert } from '#domain/alert/render-alert.ts'
import { triggerRequest } from '#test/kit/alert-payloads.ts'

/**
 * Two problems of one machine as a well-known sender posts them, and the end of the first one. Without `end`,
 * the sender reports none.
 */
interface AlertPair {
  readonly name: string
  readonly one: unknown
  readonly other: unknown
  readonly end?: unknown
}

const PAIRS = readFileSync(join(import.meta.dirname, '../../kit/alert-pairs.jsonl'), 'utf8')
  .trimEnd()
  .split('\n')
  .map(line => JSON.parse(line) as AlertPair)

function readingOf(body: unknown) {
  const { state, reading } = renderAlert(triggerRequest({ body }), null)
  return { state, key: reading?.key }
}

suite('two problems of one machine are two things, and the end of one ends that one', () => {
  for (const { name, one, other, end } of PAIRS)
    test(name, () => {
      const { key } = readingOf(one)
      assert.notEqual(key, null)
      assert.notEqual(key, readingOf(other).key)
      if (end !== undefined) assert.deepEqual(readingOf(end), { state: 'recovered', key })
    })
})

test('what is another one with each post is no part of the key', () => {
  const post = (id: string) => ({
    id,
    uuid: `1b9d6bcd-${id}`,
    event_id: id,
    message_id: id,
    delivery_id: id,
    request_id: id,
    sequence: id,
    timestamp: `2026-11-27T03:12:${id}Z`,
    result_id: id,
    host: 'nas',
    check: 'Disk /',
    status: 'CRITICAL',
    disk: `${id} %`,
    metric: id,
  })
  assert.equal(readingOf(post('11')).key, readingOf(post('12')).key)
})

test('the part of a thing is a part of the key, its measured value is not', () => {
  const alarm = (zone: number, value: number) => ({ device: 'panel', state: 'alarm', zone, value })
  assert.equal(readingOf(alarm(3, 20)).key, readingOf(alarm(3, 21)).key)
  assert.notEqual(readingOf(alarm(3, 20)).key, readingOf(alarm(4, 20)).key)
})

test('what tells a thing from another of the same name', () => {
  const detailOf = (body: unknown) => renderAlert(triggerRequest({ body }), null).reading?.detail
  assert.equal(detailOf({ host: 'web1', service: 'PING', state: 'CRITICAL', output: '100 % loss' }), 'web1')
  assert.equal(detailOf({ device: 'panel', state: 'alarm', zone: 3 }), 'zone 3')
  assert.equal(detailOf({ text: 'Drive 2 on nas has failed.', prefix: 'nas | 2026-11-22' }), 'Drive 2')
})

test('an alert whose key has changed knows the one before', () => {
  const keysOf = (body: unknown) => {
    const { key, formerKey } = renderAlert(triggerRequest({ body }), null).reading ?? {}
    return [key, formerKey]
  }
  assert.deepEqual(keysOf('Subject: vm UPS ups Power has returned\n\nvm UPS ups Power has returned'), [
    'thing:vm power',
    'thing:vm power returned',
  ])
  assert.deepEqual(keysOf({ host: 'nas', service: 'PING', state: 'CRITICAL' }), ['thing:ping nas', undefined])
})
