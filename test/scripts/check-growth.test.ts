import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Growth, growthFaults } from '#scripts/check-growth.ts'

const KEPT: Growth = {
  lines: { domain: 20_000, agent: 1_000, main: 100 },
  gatewayStarts: 100,
  calls: { all: 10_000, readSentence: 40 },
  renderingInLoops: 5,
}

const faultsOf = (change: Partial<Growth>) => growthFaults(KEPT, { ...KEPT, ...change })

test('a floor may grow by 5 %, by 20 lines at least and by 150 at most', () => {
  assert.deepEqual(faultsOf({ lines: { domain: 20_150, agent: 1_050, main: 120 } }), [])
  assert.deepEqual(faultsOf({ lines: { domain: 20_151, agent: 1_051, main: 121 } }), [
    'lines of src/domain: 20151, kept are 20000, at most 20150',
    'lines of src/agent: 1051, kept are 1000, at most 1050',
    'lines of src/main: 121, kept are 100, at most 120',
  ])
})

test('another gateway is refused, and so are more calls, a function that is gone, and much more CPU', () => {
  assert.match(faultsOf({ gatewayStarts: 101 }).join(), /^gateways that the tests start: 101,/)
  assert.deepEqual(faultsOf({ calls: { all: 10_500, readSentence: 42 } }), [])
  assert.match(faultsOf({ calls: { all: 10_501, readSentence: 42 } }).join(), /^calls of all in /)
  assert.match(
    faultsOf({ calls: { all: 1, readSentence: 0 } }).join(),
    /is called readSentence: name another/,
  )
  assert.deepEqual(faultsOf({ renderingInLoops: 7.5 }), [])
  assert.match(faultsOf({ renderingInLoops: 7.6 }).join(), /^CPU of /)
})

test('what shrinks is no fault', () => {
  const less = { lines: { domain: 1 }, gatewayStarts: 1, calls: { all: 1 }, renderingInLoops: 1 }
  assert.deepEqual(growthFaults(KEPT, less), [])
})
