/**
 * Sends many mutated requests: `node scripts/fuzz-http.ts --count 100000 --seed 1`. Exit code 1: the gateway
 * answered 5xx (other than 503 and 505), logged an error, or its memory grew by more than 60 MB in the second
 * half.
 */
import { parseArgs } from 'node:util'
import { fuzzHttp } from '#test/kit/fuzz-http.ts'
import { startHostile } from '#test/kit/hostile-gateway.ts'

const MEGABYTE = 1_048_576
/** Allowed growth: accepted sandbox messages stay in memory, and garbage is not collected at once. */
const GROWTH_MB_MAX = 60

const { values } = parseArgs({
  options: { count: { type: 'string', default: '100000' }, seed: { type: 'string', default: '1' } },
})
const count = Number(values.count)
const target = await startHostile()
const memoryMb = () => Math.round(process.memoryUsage.rss() / MEGABYTE)
let warmMb = 0
const answers = await fuzzHttp(target, {
  seed: Number(values.seed),
  count,
  connections: 16,
  progress: done => {
    if (done === Math.ceil(count / 2)) warmMb = memoryMb()
    if (done % 10_000 === 0) console.log(`${done} requests, ${memoryMb()} MB`)
  },
})
const endMb = memoryMb()
const loggedErrors = target.gateway.log.filter(({ level }) => level === 'error')
const serverErrors = [...answers].filter(([status]) => status >= 500 && status !== 503 && status !== 505)
console.log(
  JSON.stringify({ seed: values.seed, answers: Object.fromEntries(answers), warmMb, endMb, loggedErrors }),
)
await target.gateway.stop()
if (loggedErrors.length > 0 || serverErrors.length > 0 || endMb - warmMb > GROWTH_MB_MAX) process.exitCode = 1
