/**
 * Measures the processor time of one `POST /sms/send` by thread, and of a server that only echoes the same
 * JSON. Unlike requests a second, processor time hardly depends on the other load of the machine. The gateway
 * runs from its bundle, as users run it. Its rounds alternate between no open console and some open consoles,
 * each of another account. Both are measured on one process, because two processes of the same program differ
 * by up to a tenth. ROOST_BENCH_AGAINST names another gateway to measure in the same run, without consoles:
 * the folder of another checkout, which is bundled first, or a file to run without bundling (`src/main.ts`).
 */
import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { bundleMain } from '#bench/load/bundle-main.ts'
import { type BenchGateway, startGateway } from '#bench/load/gateway.ts'
import { GENERATOR, generateLoad, type Load } from '#bench/load/generate-load.ts'
import { prepareConsoles } from '#bench/load/open-consoles.ts'
import { median } from '#bench/load/quantiles.ts'
import { createAccounts, SEND_BODY, startCeiling } from '#bench/load/send.ts'
import { type CpuByThread, nameThreads, readCpuNs } from '#bench/load/thread-cpu.ts'

const CONNECTIONS = 256
/** All sends of a gateway together must stay below MESSAGES_OPEN_MAX, because no phone takes them. */
const ROUNDS = 3
const SECONDS = 1
const WARM_UP_S = 1
/** Each opening counts as an anonymous call, of which an address has only some hundred a minute. */
const CONSOLES = 6
const THREADS = ['listener', 'writer', 'main', 'helpers'] as const

/** Microseconds a request. */
interface Cost {
  readonly total: number
  readonly byThread: ReadonlyMap<string, number>
}

/** One of the servers that are compared. */
interface Side {
  readonly name: string
  /** Runs a load for this long; returns microseconds a request. */
  measure(seconds: number): Promise<Cost>
  stop(): Promise<void> | void
}

export async function benchCost(): Promise<void> {
  const against = process.env['ROOST_BENCH_AGAINST']
  const sides = [
    await startEcho(),
    ...(against === undefined ? [] : (await startSend(mainOf(against), 'other gateway')).slice(0, 1)),
    ...(await startSend(bundleMain())),
  ]
  const costs = new Map(sides.map(({ name }) => [name, [] as Cost[]]))
  for (const side of sides) await side.measure(WARM_UP_S)
  for (let round = 0; round < ROUNDS; round += 1)
    // Forwards, then backwards, so that a machine that grows busier slows all of them by the same amount.
    for (const side of round % 2 === 0 ? sides : sides.toReversed())
      costs.get(side.name)?.push(await side.measure(SECONDS))
  for (const side of sides) await side.stop()
  const [echo] = costs.values()
  process.stdout.write(
    `\nCPU of a durable POST /sms/send, ${CONNECTIONS} connections; load by ${GENERATOR}, ` +
      `medians of ${ROUNDS} rounds of ${SECONDS} s\n`,
  )
  for (const [name, rounds] of costs) report(name, rounds, echo ?? [])
}

function mainOf(path: string): string {
  return statSync(path).isDirectory() ? bundleMain(resolve(path)) : resolve(path)
}

async function startEcho(): Promise<Side> {
  const { url, pid, stop } = await startCeiling()
  return {
    name: 'echo',
    measure: seconds =>
      measure({ url, seconds, keys: ['none'] }, () => new Map([['listener', readCpuNs(pid)]])),
    stop,
  }
}

/** Two sides of one gateway: without open consoles, and with some. */
async function startSend(main: string, name = 'send'): Promise<readonly [Side, Side]> {
  const threads = nameThreads()
  const env = { ROOST_PLANS__PRO__API_CALLS_PER_MINUTE: '60000', ...threads.env }
  const gateway: BenchGateway = await startGateway(env, main)
  const accounts = await createAccounts(gateway)
  const openConsoles = await prepareConsoles(gateway, accounts.slice(0, CONSOLES))
  const keys = accounts.map(({ key }) => key)
  const url = `${gateway.url}/api/v1/sms/send`
  const measureSends = (seconds: number) => measure({ url, seconds, keys }, () => threads.read(gateway.pid))
  const plain = {
    name,
    measure: measureSends,
    async stop() {
      await gateway.stop()
      threads.remove()
    },
  }
  const watched = {
    name: `${name}, consoles open`,
    async measure(seconds: number) {
      const closeConsoles = await openConsoles()
      const cost = await measureSends(seconds)
      await closeConsoles()
      return cost
    },
    stop() {},
  }
  return [plain, watched]
}

async function measure(
  load: Pick<Load, 'url' | 'seconds' | 'keys'>,
  readCpu: () => CpuByThread,
): Promise<Cost> {
  const before = readCpu()
  const { requests, bad } = await generateLoad({ ...load, connections: CONNECTIONS, body: SEND_BODY })
  const after = readCpu()
  if (bad > 0) throw new Error(`${bad} of ${requests} requests were not answered 200`)
  const us = (thread: string) => ((after.get(thread) ?? 0) - (before.get(thread) ?? 0)) / 1000 / requests
  const byThread = new Map([...after.keys()].map(thread => [thread, us(thread)]))
  return { total: [...byThread.values()].reduce((sum, each) => sum + each, 0), byThread }
}

function report(name: string, rounds: readonly Cost[], echo: readonly Cost[]): void {
  const total = median(rounds.map(cost => cost.total))
  const ratio = median(rounds.map((cost, round) => cost.total / (echo[round]?.total ?? Number.NaN)))
  const [least, most] = [Math.min, Math.max].map(pick => pick(...rounds.map(cost => cost.total)).toFixed(1))
  const parts = THREADS.flatMap(thread => {
    const us = median(rounds.map(cost => cost.byThread.get(thread) ?? 0))
    return us === 0 || name === 'echo' ? [] : [`${thread} ${us.toFixed(1)}`]
  })
  process.stdout.write(
    `  ${name.padEnd(20)} ${total.toFixed(1).padStart(6)} µs (${least} to ${most})` +
      `${name === 'echo' ? '' : ` = ${ratio.toFixed(2)} times the echo`}  ${parts.join(', ')}\n`,
  )
}
