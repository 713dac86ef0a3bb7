import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stationsOf } from '#console/text-line.ts'
import type { ForecastResource, MessageResource } from '#contracts/message.ts'

const AT = Date.parse('2026-01-31T17:11:54.000Z')
const after = (s: number) => new Date(AT + s * 1_000).toISOString()

/** The stations in short: `word (phone) -way-> …`. */
function lineOf(
  steps: readonly (readonly [status: MessageResource['status'], s: number, deviceId?: string])[],
  more: Partial<MessageResource> = {},
  forecast?: Partial<ForecastResource>,
): string {
  const timeline = steps.map(([status, s, deviceId]) => ({
    ...{ status, at: after(s) },
    ...(deviceId !== undefined && { deviceId }),
  }))
  const status = steps.at(-1)?.[0] ?? 'queued'
  const text = { timeline, status, sendAt: null, expiresAt: after(14_400), deviceId: 'Pixel', ...more }
  const known = {
    nameOf: (id: string) => id,
    forecast: forecast as ForecastResource | undefined,
    now: AT + 60_000,
  }
  return stationsOf(text, known)
    .map(({ word, phone, isAhead, way }) => {
      const name = `${isAhead ? '?' : ''}${word}${phone === null ? '' : ` (${phone})`}`
      return way === null ? name : `${name} -${way.words}->`
    })
    .join(' ')
}

test('a text is a line with the time between its stations', () => {
  assert.equal(
    lineOf([
      ['queued', 0],
      ['sending', 47, 'Pixel'],
      ['sent', 48],
      ['delivered', 50],
    ]),
    'Queued -waited 47 s-> Sending (Pixel) -1 s-> Sent -+2 s-> Delivered',
  )
})

test('a waiting text shows no time at which it was to leave', () => {
  const queued = { status: 'queued', at: after(0) } as const
  const times = { sendAt: null, expiresAt: after(14_400) }
  const text = { ...times, timeline: [queued], status: 'queued' as const, deviceId: null }
  const leaves = (s: number) => {
    const forecast = { waitsFor: 'turn', deviceId: null, before: 0, leavesAt: after(s) } as const
    return stationsOf(text, { nameOf: () => null, forecast, now: AT + 60_000 })[1]
  }
  assert.deepEqual([leaves(120)?.word, leaves(120)?.at], ['Leaves', after(120)])
  for (const s of [30, 60, 62]) assert.deepEqual([leaves(s)?.word, leaves(s)?.at], ['Leaves', null])
})

test('tries that failed are stations, each with its phone where that is known', () => {
  const steps = [
    ['queued', 0],
    ['sending', 1],
    ['queued', 3],
    ['sending', 5, 'Nokia'],
    ['queued', 6],
    ['sending', 8, 'Pixel'],
    ['failed', 11],
  ] as const
  assert.equal(
    lineOf(steps),
    'Queued -waited 1 s-> Try 1 -2 s-> The try failed -waited 2 s-> Try 2 (Nokia) -1 s-> The try failed ' +
      '-waited 2 s-> Try 3 (Pixel) -3 s-> Failed',
  )
})

test('a waiting text shows what is ahead', () => {
  const forecast = { leavesAt: after(120), before: 10 }
  assert.equal(
    lineOf([['queued', 0]], {}, forecast),
    'Queued -waiting for 60 s, 10 before it-> ?Leaves (Pixel) --> ?Sent --> ?Delivered',
  )
  assert.equal(lineOf([['queued', 0]]), 'Queued -waiting for 60 s-> ?Given up')
  assert.equal(lineOf([['queued', 0]], { sendAt: after(900) }), 'Queued -waiting for 60 s-> ?Leaves')
  assert.equal(
    lineOf([
      ['queued', 0],
      ['sending', 50, 'Pixel'],
    ]),
    'Queued -waited 50 s-> Sending (Pixel) -for 10 s-> ?Sent --> ?Delivered',
  )
})

test('the wait of a text for later begins when it was to leave', () => {
  const steps = [
    ['queued', 0],
    ['sending', 31],
  ] as const
  assert.match(lineOf(steps, { sendAt: after(30) }), /^Queued -waited 30 s-> Scheduled -waited 1 s-> Sending/)
})
