import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sized } from '#test/kit/test-size.ts'
import { Bench } from '#test/simulation/bench.ts'
import type { Mutant } from '#test/simulation/mutant.ts'
import { simulate } from '#test/simulation/simulate.ts'
import { runTrial } from '#test/simulation/trial.ts'

const TRIALS = sized(200, 20_000)
/**
 * The largest fraction of messages that may end as OUTCOME_UNKNOWN under these faults. It is 0.04 on average,
 * half of it from phones that never report what they sent; in 600 trials it was between 0.031 and 0.045.
 */
const UNKNOWN_SHARE_MAX = sized(0.08, 0.055)
/** Each planted bug must be found within so many trials. */
const MUTANT_TRIALS_MAX = 5000

/** `seed` lies shortly before a trial that shows the bug, to keep the search short. */
const MUTANTS: readonly (Mutant & { readonly seed?: number })[] = [
  { name: 'a phone that acts on a go of an older connection', phones: 'asking', phoneTakesOldGo: true },
  {
    name: 'a session fence that is dropped on both sides',
    phones: 'asking',
    phoneTakesOldGo: true,
    gatewayTakesOldBegin: true,
  },
  {
    name: 'a gateway that takes accepted in a later journal for proof',
    phones: 'asking',
    laterJournalIsProof: true,
    seed: 640,
  },
  {
    name: 'a gateway that takes a late opening of an older connection',
    phones: 'asking',
    gatewayTakesLateOpening: true,
    seed: 5_510,
  },
  {
    name: 'a phone that lost what it knew and is handed the same again',
    phones: 'taking',
    phoneForgetsAndStaysRegistered: true,
    seed: 810,
  },
  {
    name: 'a phone that looks a message up while its command still runs',
    phones: 'asking',
    phoneLeavesCommandRunning: true,
  },
  { name: 'a gateway that hands a message to two phones', phones: 'taking', gatewayHandsToAnother: true },
  {
    name: 'phones that send what they are offered, requeued on disconnect',
    phones: 'asking',
    phoneSendsOnOffer: true,
  },
]

/** The same trials each time, to judge a change by itself. `scripts/simulate.ts` takes other seeds. */
const SEED = 238_422_463

test(`in ${TRIALS} trials with faults no message is sent twice, lost or stuck`, t => {
  const found = simulate({ trials: TRIALS, seed: SEED })
  t.diagnostic(`${JSON.stringify(found.ends)}, unknown ${found.unknownShare}`)
  if (found.failed !== null)
    assert.fail(`seed ${found.failed.seed}:\n${[...found.failed.trace, ...found.failed.wrong].join('\n')}`)
  assert.ok(found.unknownShare < UNKNOWN_SHARE_MAX)
})

/** With alarms, answers and the owner's calls. */
const INCIDENT_TRIALS = sized(100, 2500)
const INCIDENT_SEED = 90_000_000

test(`in ${INCIDENT_TRIALS} trials with faults every incident keeps the rules`, () => {
  const found = simulate({ trials: INCIDENT_TRIALS, seed: INCIDENT_SEED, hasIncidents: true })
  if (found.failed !== null)
    assert.fail(`seed ${found.failed.seed}:\n${[...found.failed.trace, ...found.failed.wrong].join('\n')}`)
})

/** With jumps of the clock, restarts, and time without power. */
const CLOCK_TRIALS = sized(20, 2000)
const CLOCK_SEED = 170

test(`in ${CLOCK_TRIALS} trials with wrong clocks nothing is early, late, lost or told twice`, () => {
  const found = simulate({ trials: CLOCK_TRIALS, seed: CLOCK_SEED, hasClocks: true })
  if (found.failed !== null)
    assert.fail(`seed ${found.failed.seed}:\n${[...found.failed.trace, ...found.failed.wrong].join('\n')}`)
})

for (const [mutant, wrong] of [
  [{ name: 'a gateway that believes a forged sender', trustsForgedSender: true }, /replies to \d+ texts/],
  [{ name: 'a gateway that answers each copy of a text', answersTwice: true }, /replies to \d+ texts/],
  [{ name: 'a gateway that loses the last step of a round', tampers: { nextStep: 3 } }, /lost step 3/],
  [{ name: 'a gateway that numbers all incidents alike', tampers: { number: 2 } }, /one number for two/],
  [{ name: 'a gateway that forgets when an incident is due', tampers: { dueAt: null } }, /is still open/],
  [{ name: 'a gateway that walks steps again', tampers: { nextStep: 1 } }, /came twice/],
] as const)
  test(`the simulation of incidents finds the planted bug ${mutant.name}`, t => {
    const found = simulate({ trials: MUTANT_TRIALS_MAX, seed: 1, mutant, hasIncidents: true })
    t.diagnostic(`found after ${found.trials} trials: ${found.failed?.wrong[0]}`)
    assert.match(found.failed?.wrong.join('\n') ?? 'nothing', wrong)
  })

test('trials with the same seed run the same events, other seeds other events', () => {
  const bench = new Bench()
  const run = (seed: number) => {
    const lines: string[] = []
    runTrial(bench, seed, { trace: line => lines.push(line) })
    return lines
  }
  const first = run(4711)
  run(4712)
  assert.deepEqual(run(4711), first)
  assert.notDeepEqual(run(4713), first)
})

for (const { seed = 1, ...mutant } of MUTANTS)
  test(`the simulation finds the planted bug ${mutant.name}`, t => {
    const found = simulate({ trials: MUTANT_TRIALS_MAX, seed, mutant })
    t.diagnostic(`found after ${found.trials} trials: ${found.failed?.wrong[0]}`)
    // Both mean a transmission that the gateway does not know of. The seed decides which one comes first.
    assert.match(found.failed?.wrong.join('\n') ?? 'nothing', /duplicate|was transmitted/)
  })
