import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countModemEnds, findModemFaults, killModem } from '#test/kit/modem/kill-modem.ts'
import { modemManagerMissing } from '#test/kit/modem/modem-world.ts'
import { HANGS_AFTER_MS } from '#test/kit/patience.ts'
import { sized } from '#test/kit/test-size.ts'

/** Each round with a kill of ModemManager takes half a minute. `scripts/kill-modem.ts` runs for hours. */
const ROUNDS = { gateway: sized(2, 6), agent: sized(1, 4) }
const options = { timeout: HANGS_AFTER_MS, skip: modemManagerMissing() }

for (const runner of ['gateway', 'agent'] as const)
  test(
    `kill -9 with a faulty modem of the ${runner}: no text leaves twice, none is lost`,
    options,
    async t => {
      const seed = Math.floor(Math.random() * 2 ** 32)
      t.diagnostic(`seed ${seed}`)
      const records = await killModem(t, { rounds: ROUNDS[runner], seed, runner })
      t.diagnostic(`${records.accepted.length} texts: ${JSON.stringify(countModemEnds(records))}`)
      t.diagnostic(JSON.stringify(records.strikes))
      assert.deepEqual(findModemFaults(records), [])
      assert.ok(records.transmitted.length > 0, 'there were texts')
    },
  )
