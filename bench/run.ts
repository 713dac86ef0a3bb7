/**
 * `npm run bench [-- pure|load|NAME]`. `pure` measures functions with tinybench. `load` puts load on real
 * processes. NAME is one of the load runs. Without an argument, everything runs.
 */
import { globSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Bench } from 'tinybench'
import { describeDisk } from '#bench/load/bench-folder.ts'
import { benchCluster } from '#bench/load/cluster.ts'
import { benchCost } from '#bench/load/cost.ts'
import { benchFleet } from '#bench/load/fleet.ts'
import { benchGrow } from '#bench/load/grow.ts'
import { benchHangingTargets } from '#bench/load/hanging-targets.ts'
import { benchKannel } from '#bench/load/kannel.ts'
import { benchNotifications } from '#bench/load/notifications.ts'
import { benchOffer } from '#bench/load/offer.ts'
import { benchPhones } from '#bench/load/phones.ts'
import { benchRequests } from '#bench/load/requests.ts'
import { benchSend } from '#bench/load/send.ts'
import { benchSteady } from '#bench/load/steady.ts'
import { benchTable } from '#bench/load/table.ts'
import { benchTrigger } from '#bench/load/trigger.ts'

const LOADS: Readonly<Record<string, () => Promise<void>>> = {
  send: benchSend,
  steady: benchSteady,
  cost: benchCost,
  cluster: benchCluster,
  offer: benchOffer,
  notifications: benchNotifications,
  hanging: benchHangingTargets,
  trigger: benchTrigger,
  phones: benchPhones,
  fleet: benchFleet,
  kannel: benchKannel,
  grow: benchGrow,
  table: benchTable,
  requests: benchRequests,
}

const only = process.argv[2]
if (only !== undefined && only !== 'pure' && only !== 'load' && LOADS[only] === undefined) {
  process.stderr.write(`Unknown bench ${only}: give pure, load, or one of ${Object.keys(LOADS).join(', ')}\n`)
  process.exit(2)
}
if (only === undefined || only === 'pure') await benchPure()
if (only !== 'pure') process.stdout.write(`\nThe databases are on ${describeDisk()}\n`)
for (const [name, load] of Object.entries(LOADS))
  if (only === undefined || only === 'load' || only === name) await load()

async function benchPure(): Promise<void> {
  const bench = new Bench({ time: 300, warmupTime: 100 })
  const folder = fileURLToPath(new URL('.', import.meta.url))
  for (const file of globSync('**/*.bench.ts', { cwd: folder }).sort()) {
    const part = (await import(`#bench/${file}`)) as { addTo(bench: Bench): unknown }
    await part.addTo(bench)
  }
  await bench.run()
  for (const task of bench.tasks) {
    const { result } = task
    if (!('latency' in result)) throw new Error(`${task.name} failed`)
    const us = result.latency.mean * 1000
    process.stdout.write(`${task.name.padEnd(52)} ${us.toFixed(2).padStart(10)} µs\n`)
  }
}
