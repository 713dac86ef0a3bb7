/**
 * The long run of test/e2e/kill-notifications.test.ts:
 * `node scripts/kill-notifications.ts [--rounds 200] [--seed N]`. ROOST_BINARY names an executable to run in
 * place of the bundle.
 */
import { parseArgs } from 'node:util'
import { killNotifications } from '#test/kit/kill-notifications.ts'

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '200' }, seed: { type: 'string' } },
})
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 32))
const rounds = Number(values.rounds)
console.log(`${rounds} rounds, seed ${seed}`)
const cleaning: (() => unknown)[] = []
const report = await killNotifications({ after: clean => cleaning.push(clean) }, { rounds, seed })
for (const clean of cleaning.reverse()) await clean()
console.log(JSON.stringify(report))
