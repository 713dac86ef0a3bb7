/**
 * What a cluster costs: the same sends to a gateway alone and to the leader of a cluster with three members
 * of etcd, in one run. Then the same with syncs that take 20 ms longer, in the gateway and in etcd, as on a
 * slow SD card (by strace). All run on this machine: where each has a machine of its own, it costs less.
 */
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { makeBenchFolder } from '#bench/load/bench-folder.ts'
import { bundleMain } from '#bench/load/bundle-main.ts'
import { startGateway } from '#bench/load/gateway.ts'
import { GENERATOR, generateLoad, type LoadResult } from '#bench/load/generate-load.ts'
import { median } from '#bench/load/quantiles.ts'
import { createKeys, SEND_BODY } from '#bench/load/send.ts'
import { EtcdProcesses } from '#test/kit/etcd-processes.ts'
import { slowSync, straceMissing } from '#test/kit/strace.ts'

const CONNECTIONS = [1, 256]
const ROUNDS = 3
const SECONDS = 2
const MEMBERS = 3
const SLOW_SYNC_MS = 20

interface Side {
  readonly name: string
  readonly url: string
  readonly keys: readonly string[]
}

export async function benchCluster(): Promise<void> {
  process.stdout.write(
    `\nA durable POST /sms/send without and with a cluster; load by ${GENERATOR}, ` +
      `medians of ${ROUNDS} rounds of ${SECONDS} s\n`,
  )
  await compare('', [])
  const missing = straceMissing()
  if (missing === false) await compare(`, each sync ${SLOW_SYNC_MS} ms longer`, slowSync(SLOW_SYNC_MS))
  else process.stdout.write(`  slow syncs NOT MEASURED: ${missing}\n`)
}

async function compare(about: string, under: readonly string[]): Promise<void> {
  const cleaning: (() => unknown)[] = []
  const cleaner = { after: (clean: () => unknown) => void cleaning.push(clean) }
  const folder = makeBenchFolder('etcd')
  cleaning.push(() => rmSync(folder, { recursive: true }))
  try {
    const machines = Array.from({ length: MEMBERS }, (_, index) => join(folder, `${index}`)).map(home => {
      mkdirSync(home)
      return { folder: home, host: '127.0.0.1', under }
    })
    const etcd = await EtcdProcesses.start(cleaner, machines)
    const main = bundleMain()
    const env = { ROOST_PLANS__PRO__API_CALLS_PER_MINUTE: '60000' }
    const cluster = {
      ROOST_CLUSTER__ETCD: JSON.stringify(etcd.urls),
      ROOST_CLUSTER__NAME: 'one',
      ROOST_CLUSTER__ADVERTISE_URL: 'https://one.test',
    }
    const gateways = [
      { name: 'alone', gateway: await startGateway(env, main, { under }) },
      {
        name: 'in a cluster',
        gateway: await startGateway({ ...env, ...cluster }, main, { under, first: ['cluster', 'create'] }),
      },
    ]
    const sides: Side[] = []
    for (const { name, gateway } of gateways) {
      cleaning.push(() => gateway.stop())
      sides.push({ name, url: `${gateway.url}/api/v1/sms/send`, keys: await createKeys(gateway) })
    }
    for (const connections of CONNECTIONS) {
      process.stdout.write(`  ${connections} connection${connections === 1 ? '' : 's'}${about}\n`)
      await measure(sides, connections)
    }
  } finally {
    for (const clean of cleaning.reverse()) await clean()
  }
}

async function measure(sides: readonly Side[], connections: number): Promise<void> {
  const rounds = new Map<Side, LoadResult[]>(sides.map(side => [side, []]))
  for (let round = 0; round <= ROUNDS; round++)
    for (const side of round % 2 === 0 ? sides : sides.toReversed()) {
      const { url, keys } = side
      const result = await generateLoad({ url, keys, connections, seconds: SECONDS, body: SEND_BODY })
      // The first round warms up.
      if (round > 0) rounds.get(side)?.push(result)
    }
  for (const [{ name }, results] of rounds) {
    const pick = (key: keyof LoadResult) => median(results.map(result => result[key]))
    const bad = results.reduce((sum, result) => sum + result.bad, 0)
    process.stdout.write(
      `    ${name.padEnd(14)} ${pick('requestsPerSecond').toFixed(0).padStart(6)}/s` +
        `  p50 ${pick('p50Ms').toFixed(1)} ms  p99 ${pick('p99Ms').toFixed(1)} ms  not 2xx: ${bad}\n`,
    )
  }
}
