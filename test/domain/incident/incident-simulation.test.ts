import assert from 'node:assert/strict'
import { test } from 'node:test'
import { INCIDENT_MUTANTS } from '#test/domain/incident/incident-mutants.ts'
import { runIncidentTrial } from '#test/domain/incident/incident-trial.ts'
import { sized } from '#test/kit/test-size.ts'

const TRIALS = sized(300, 50_000)
/** Each planted bug must be found within so many trials. */
const MUTANT_TRIALS_MAX = 5000

test(`in ${TRIALS} trials the model keeps its promises`, t => {
  const seed = (Date.now() % 2 ** 32) >>> 0
  t.diagnostic(`seeds from ${seed}`)
  for (let i = 0; i < TRIALS; i++) {
    const wrong = runIncidentTrial((seed + i) >>> 0)
    if (wrong === null) continue
    const lines: string[] = []
    runIncidentTrial((seed + i) >>> 0, undefined, line => lines.push(line))
    assert.fail(`seed ${seed + i}: ${wrong}\n${lines.join('\n')}`)
  }
})

for (const mutant of INCIDENT_MUTANTS)
  test(`the simulation finds the planted bug: ${mutant.name}`, t => {
    for (let seed = 1; seed <= MUTANT_TRIALS_MAX; seed++) {
      const wrong = runIncidentTrial(seed, mutant)
      if (wrong !== null) return t.diagnostic(`found after ${seed} trials: ${wrong}`)
    }
    assert.fail(`not found in ${MUTANT_TRIALS_MAX} trials`)
  })
