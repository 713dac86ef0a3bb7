import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countModemEnds, findModemFaults, killModem } from '#test/kit/modem/kill-modem.ts'
import { modemManagerMissing } from '#test/kit/modem/modem-world.ts'
import { sized } from '#test/kit/test-size.ts'

const ROUNDS = sized(2, 15)
/** Each round with a kill of ModemManager takes half a minute. So the quick size is that of the gateway. */
const RUNNERS = ['gateway', 'agent'].slice(0, sized(1, 2))
const options = { timeout: 1_200_000, skip: modemManagerMissing() }

for (const runner of RUNNERS as readonly ('gateway' | 'agent')[])
  test(
    `kill -9 with a faulty modem, run by the ${runner}: no text leaves twice, none is lost`,
    options,
    async t => {
      const seed = Math.floor(Math.random() * 2 ** 32)
      t.diagnostic(`seed ${seed}`)
      const records = await killModem(t, { rounds: ROUNDS, seed, runner })
      t.diagnostic(`${records.accepted.length} texts: ${JSON.stringify(countModemEnds(records))}`)
      t.diagnostic(JSON.stringify(records.strikes))
      assert.deepEqual(findModemFaults(records), [])
      assert.ok(records.transmitted.length > 0, 'there were texts')
    },
  )
