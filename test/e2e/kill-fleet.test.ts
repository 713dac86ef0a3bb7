import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findFleetFaults, isUnknown, killFleet, repeatedByApps } from '#test/kit/kill-fleet.ts'
import { modemManagerMissing } from '#test/kit/modem/modem-world.ts'
import { HANGS_AFTER_MS } from '#test/kit/patience.ts'
import { sized } from '#test/kit/test-size.ts'

const ROUNDS = sized(2, 8)

test('kill -9 under load with phones of every kind loses nothing and sends nothing twice', {
  timeout: HANGS_AFTER_MS,
}, async t => {
  const seed = Math.floor(Math.random() * 2 ** 32)
  t.diagnostic(`seed ${seed}`)
  const records = await killFleet(t, { rounds: ROUNDS, seed })
  const { messages, phones, gatewayKills } = records
  const noModem = modemManagerMissing()
  if (noModem !== false) t.diagnostic(`without a modem: ${noModem}`)
  t.diagnostic(`${messages.length} messages, ${gatewayKills} kills of the gateway`)
  for (const { kind, transmitted, kills } of phones)
    t.diagnostic(`${kind}: ${transmitted.length} sent, ${kills} kills`)
  t.diagnostic(`${messages.filter(isUnknown).length} with an unknown outcome`)
  t.diagnostic(`${repeatedByApps(records)} sent again by the apps themselves`)
  assert.deepEqual(findFleetFaults(records), [])
  assert.ok(messages.length >= ROUNDS, 'the run had load')
})
