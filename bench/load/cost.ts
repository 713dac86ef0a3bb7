/**
 * Measures the processor time of one `POST /sms/send` by thread, and of a server that only echoes the same
 * JSON. Unlike requests a second, processor time hardly depends on the other load of the machine. The gateway
 * is measured under a full load, also with consoles open and with a phone for each account, and with lone
 * sends (one connection) and what they write. All are measured on one process, because two processes of the
 * same program differ by up to a tenth.
 * ROOST_BENCH_AGAINST names another gateway to measure in the same run: the folder of another checkout, which
 * is bundled first, or a file to run without bundling (`src/main.ts`).
 */
import { readFileSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { bundleMain } from '#bench/load/bundle-main.ts'
import { connectPhone } from '#bench/load/connect-phone.ts'
import { type BenchGateway, startGateway } from '#bench/load/gateway.ts'
import { GENERATOR, generateLoad, type Load } from '#bench/load/generate-load.ts'
import { prepareConsoles } from '#bench/load/open-consoles.ts'
import { median } from '#bench/load/quantiles.ts'
import { type BenchAccount, createAccounts, SEND_BODY, startCeiling } from '#bench/load/send.ts'
import { type CpuByThread, nameThreads, readCpuNs } from '#bench/load/thread-cpu.ts'

const CONNECTIONS = 256
/** All sends of a gateway together must stay below `messagesOpenMax`, because no phone takes them. */
const ROUNDS = 3
const SECONDS = 1
const WARM_UP_S = 1
/** Each opening counts as an anonymous call, of which an address has only some hundred a minute. */
const CONSOLES = 6
const THREADS = ['listener', 'writer', 'main', 'helpers'] as const

/** Microseconds a request. */
interface Cost {
  readonly requests: number
  readonly total: number
  readonly byThread: ReadonlyMap<string, number>
}

/** One of the rows that are compared. */
interface Side {
  readonly name: string
  /** Runs a load for this long; returns microseconds a request. */
  measure(seconds: number): Promise<Cost>
}

/** A gateway, and what its rows need. */
interface Subject {
  readonly name: string
  readonly gateway: BenchGateway
  readonly accounts: readonly BenchAccount[]
  measure(seconds: number, connections?: number): Promise<Cost>
  stop(): Promise<void>
}

export async function benchCost(): Promise<void> {
  const against = process.env['ROOST_BENCH_AGAINST']
  const ceiling = await startCeiling()
  const echo = (connections: number): Side => ({
    name: 'echo',
    measure: seconds =>
      measure(
        { url: ceiling.url, seconds, connections, keys: ['none'] },
        () => new Map([['listener', readCpuNs(ceiling.pid)]]),
      ),
  })
  const subjects = [
    ...(against === undefined ? [] : [await startSubject('other gateway', mainOf(against))]),
    await startSubject('send', bundleMain()),
  ]
  process.stdout.write(
    `\nCPU of a durable POST /sms/send; load by ${GENERATOR}, medians of ${ROUNDS} rounds of ${SECONDS} s\n`,
  )
  const alone = subjects.map(({ name, measure }) => ({ name, measure }))
  const own = subjects.slice(-1)
  await compare(`${CONNECTIONS} connections`, [echo(CONNECTIONS), ...alone, ...(await watched(own))])
  await compare('1 connection', [echo(1), ...subjects.map(lone)])
  const phones: { close(): void }[] = []
  for (const { gateway, accounts } of subjects)
    for (const { email } of accounts) phones.push(await connectPhone(gateway, email))
  const connected = alone.map(side => ({ ...side, name: `${side.name}, phones` }))
  await compare(`${CONNECTIONS} connections, a phone connected`, [echo(CONNECTIONS), ...connected])
  for (const phone of phones) phone.close()
  for (const subject of subjects) await subject.stop()
  ceiling.stop()
}

/** Measures all sides in turn, and prints a row for each. */
async function compare(title: string, sides: readonly Side[]): Promise<void> {
  const costs = new Map(sides.map(side => [side, [] as Cost[]]))
  for (const side of sides) await side.measure(WARM_UP_S)
  for (let round = 0; round < ROUNDS; round += 1)
    // Forwards, then backwards, so that a machine that grows busier slows all of them by the same amount.
    for (const side of round % 2 === 0 ? sides : sides.toReversed())
      costs.get(side)?.push(await side.measure(SECONDS))
  const [first] = costs.values()
  process.stdout.write(`  ${title}\n`)
  for (const [{ name }, rounds] of costs) report(name, rounds, first ?? [])
}

function mainOf(path: string): string {
  return statSync(path).isDirectory() ? bundleMain(resolve(path)) : resolve(path)
}

async function startSubject(name: string, main: string): Promise<Subject> {
  const threads = nameThreads()
  const env = { ROOST_PLANS__PRO__API_CALLS_PER_MINUTE: '60000', ...threads.env }
  const gateway: BenchGateway = await startGateway(env, main)
  const accounts = await createAccounts(gateway)
  const keys = accounts.map(({ key }) => key)
  const url = `${gateway.url}/api/v1/sms/send`
  return {
    name,
    gateway,
    accounts,
    measure: (seconds, connections = CONNECTIONS) =>
      measure({ url, seconds, connections, keys }, () => threads.read(gateway.pid)),
    async stop() {
      await gateway.stop()
      threads.remove()
    },
  }
}

/** The same sends while some consoles are open. */
function watched(subjects: readonly Subject[]): Promise<Side[]> {
  return Promise.all(
    subjects.map(async ({ name, gateway, accounts, measure }) => {
      const openConsoles = await prepareConsoles(gateway, accounts.slice(0, CONSOLES))
      return {
        name: `${name}, consoles open`,
        async measure(seconds: number) {
          const closeConsoles = await openConsoles()
          const cost = await measure(seconds)
          await closeConsoles()
          return cost
        },
      }
    }),
  )
}

/** One send after the other. The name says what each writes, which the first measurement has found. */
function lone({ name, gateway, measure }: Subject): Side {
  let written = ''
  return {
    get name() {
      return `lone ${name}${written}`
    },
    async measure(seconds) {
      const before = readWritten(gateway.pid)
      const cost = await measure(seconds, 1)
      const after = readWritten(gateway.pid)
      if (written === '') {
        const [kib, calls] = [(after.bytes - before.bytes) / 1024, after.calls - before.calls]
        written = ` (${(kib / cost.requests).toFixed(0)} KiB, ${(calls / cost.requests).toFixed(0)} writes)`
      }
      return cost
    },
  }
}

/** Bytes and calls that the process has written to files and sockets so far (Linux). */
function readWritten(pid: number): { readonly bytes: number; readonly calls: number } {
  const io = readFileSync(`/proc/${pid}/io`, 'utf8')
  const read = (field: string) => Number(new RegExp(`^${field}: (\\d+)`, 'm').exec(io)?.[1])
  return { bytes: read('write_bytes'), calls: read('syscw') }
}

async function measure(
  load: Pick<Load, 'url' | 'seconds' | 'keys' | 'connections'>,
  readCpu: () => CpuByThread,
): Promise<Cost> {
  const before = readCpu()
  const { requests, bad } = await generateLoad({ ...load, body: SEND_BODY })
  const after = readCpu()
  if (bad > 0) throw new Error(`${bad} of ${requests} requests were not answered 200`)
  const us = (thread: string) => ((after.get(thread) ?? 0) - (before.get(thread) ?? 0)) / 1000 / requests
  const byThread = new Map([...after.keys()].map(thread => [thread, us(thread)]))
  return { requests, total: [...byThread.values()].reduce((sum, each) => sum + each, 0), byThread }
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
    `    ${name.padEnd(36)} ${total.toFixed(1).padStart(6)} µs (${least} to ${most})` +
      `${name === 'echo' ? '' : ` = ${ratio.toFixed(2)} times the echo`}  ${parts.join(', ')}\n`,
  )
}
