/**
 * The long run of test/e2e/kill-modem.test.ts:
 * `node scripts/kill-modem.ts [--texts 10000] [--minutes M] [--sent 60] [--arrived 30] [--seed N] [--agent]`.
 * When so many texts were accepted, or after `--minutes` minutes, it starts no new round. It waits until the
 * modem's memory is empty, which takes ten minutes after a deletion was cut off, and checks the results.
 * `--sent` and `--arrived`: the most texts of a round. `--agent`: `roost agent` runs the modem.
 */
import { parseArgs } from 'node:util'
import { countModemEnds, findModemFaults, killModem, storedIn } from '#test/kit/modem/kill-modem.ts'

const { values } = parseArgs({
  options: {
    texts: { type: 'string', default: '10000' },
    minutes: { type: 'string', default: '600' },
    sent: { type: 'string', default: '60' },
    arrived: { type: 'string', default: '30' },
    seed: { type: 'string' },
    agent: { type: 'boolean', default: false },
  },
})
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 32))
console.log(`${values.texts} texts, seed ${seed}`)

const cleaning: (() => unknown)[] = []
const endAt = performance.now() + Number(values.minutes) * 60_000
const results = await killModem(
  { after: clean => cleaning.push(clean) },
  {
    rounds: Infinity,
    seed,
    runner: values.agent ? 'agent' : 'gateway',
    sentMax: Number(values.sent),
    arrivedMax: Number(values.arrived),
    progress(round, accepted) {
      console.log(`${new Date().toISOString()} ${round} rounds, ${accepted} texts`)
      return accepted < Number(values.texts) && performance.now() < endAt
    },
    async atEnd(modem) {
      console.log(
        `${new Date().toISOString()} parts of ${storedIn(modem).partly.length} texts are in the modem`,
      )
      await modem.until(() => modem.memory.size === 0)
      console.log(`${new Date().toISOString()} the memory of the modem is empty`)
    },
  },
)
for (const clean of cleaning.reverse()) await clean()

const strikes = Object.entries(results.strikes).sort()
console.log(strikes.map(([what, times]) => `${times} × ${what}`).join('\n'))
const { accepted, transmitted, arrived, received } = results
console.log(`${accepted.length} texts accepted, ${transmitted.length} parts on the air`)
console.log(`${arrived.length} texts arrived at the modem, ${received.length} handed in`)
console.log(countModemEnds(results))
const faults = findModemFaults(results)
for (const fault of faults) console.log(fault)
console.log(faults.length === 0 ? 'nothing lost, nothing sent or received twice' : `${faults.length} faults`)
process.exit(faults.length === 0 ? 0 : 1)
