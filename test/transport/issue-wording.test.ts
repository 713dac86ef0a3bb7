import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as v from 'valibot'
import { PhoneFrame } from '#contracts/device-frames.ts'
import { Name, Time } from '#contracts/primitives.ts'
import { wordingOf } from '#transport/issue-wording.ts'

/** Path and message of each fault. */
function faults(schema: v.GenericSchema, value: unknown): string[] {
  const { issues = [] } = v.safeParse(schema, value)
  return issues.map(issue => `${v.getDotPath(issue) ?? ''}: ${wordingOf(issue)}`)
}

test('a fault of a schema without messages is worded plainly, and without the value', () => {
  const schema = v.object({
    name: Name,
    tags: v.array(v.string()),
    on: v.boolean(),
    at: v.union([v.string(), v.number()]),
    level: v.pipe(v.number(), v.minValue(0), v.maxValue(100)),
    count: v.pipe(v.number(), v.integer()),
    part: v.pipe(v.number(), v.finite()),
    text: v.pipe(v.string(), v.minLength(2), v.regex(/^[a-z]+$/)),
    long: v.pipe(v.string(), v.maxLength(3)),
    inner: v.object({}),
    left: v.string(),
  })
  const value = {
    name: 5,
    tags: 'secret',
    on: 'secret',
    at: null,
    level: 101,
    count: 1.5,
    part: Number.POSITIVE_INFINITY,
    text: 'S',
    long: 'secret',
    inner: 'secret',
  }
  assert.deepEqual(faults(schema, value), [
    'name: must be text',
    'tags: must be a list',
    'on: must be true or false',
    'at: must be string or number',
    'level: must be at most 100',
    'count: must be a whole number',
    'part: must be a finite number',
    'text: must have a length of at least 2',
    'text: has a wrong form',
    'long: must have a length of at most 3',
    'inner: must be a JSON object',
    'left: is required',
  ])
})

test('a frame with a wrong value lists the allowed ones', () => {
  const battery = { type: 'telemetry', battery: -1 }
  assert.deepEqual(faults(PhoneFrame, battery), ['battery: must be at least 0'])
  const [state] = faults(PhoneFrame, { type: 'report', messageId: 'm', attempt: 1, state: 'lost' })
  assert.match(state ?? '', /^state: must be "[a-z]+"( or "[a-z]+")+$/)
  const hello = { type: 'hello', protocol: 2, bootId: 'b' }
  assert.ok(faults(PhoneFrame, hello).includes('protocol: must be 1'))
})

test("a schema's own message stays", () => {
  assert.deepEqual(faults(Name, ''), [': must not be empty'])
  assert.deepEqual(faults(Time, '2026-02-31T00:00:00.000Z'), [': must be a day that exists in the calendar'])
})

test('text that is no time has one fault, not two', () => {
  for (const text of ['foo', 'x', '2026-13-01', ''])
    assert.deepEqual(faults(Time, text), [': must be a time like 2026-01-31T12:00:00.000Z'])
})
