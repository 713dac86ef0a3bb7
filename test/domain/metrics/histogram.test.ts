import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Histogram } from '#domain/metrics/histogram.ts'

test('a value is counted in every bucket whose bound it does not exceed', () => {
  const histogram = new Histogram([1, 10])
  for (const value of [0.5, 1, 2, 11]) histogram.observe(value)
  assert.deepEqual(
    histogram
      .valuesOf('sizes', { of: 'eggs' })
      .map(({ metricName, labels, value }) => [metricName, labels['le'] ?? null, labels['of'], value]),
    [
      ['sizes_bucket', '1', 'eggs', 2],
      ['sizes_bucket', '10', 'eggs', 3],
      ['sizes_bucket', '+Inf', 'eggs', 4],
      ['sizes_sum', null, 'eggs', 14.5],
      ['sizes_count', null, 'eggs', 4],
    ],
  )
})
