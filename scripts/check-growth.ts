/**
 * Compares what grows unseen with the numbers of `growth.json`: `node scripts/check-growth.ts [--write]`. It
 * prints the lines of each floor of src, how many gateways the tests start, how often a few alerts call the
 * functions that cost most, and the CPU time of these alerts in rounds of a fixed loop. Exit code 1: one of
 * them is too far above its number. If that is right, `--write` stores the numbers of today, and the commit
 * says why they grew.
 */
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { Session } from 'node:inspector/promises'
import { join } from 'node:path'
import type { TriggerRequest } from '#contracts/webhook.ts'
import { renderAlert } from '#domain/alert/render-alert.ts'
import { readAlertCases, requestOf } from '#test/kit/alert-payloads.ts'

/** Numbers of one tree, as `growth.json` has them. */
export interface Growth {
  /** Lines of the source, by floor. */
  readonly lines: Readonly<Record<string, number>>
  /** Places in test files that start a gateway. */
  readonly gatewayStarts: number
  /** Calls of functions of src, by name, while `ALERTS` are rendered; `all`: of all functions. */
  readonly calls: Readonly<Record<string, number>>
  /** CPU time of rendering these alerts, in rounds of the fixed loop. */
  readonly renderingInLoops: number
}

/** How far above its number a floor may be: a share, but neither very few nor very many lines. */
const LINES_ABOVE = { share: 0.05, min: 20, max: 150 }
const CALLS_ABOVE_SHARE = 0.05
/** On a machine with a load of 30, the medians of ten processes were at most 1.2 times the least of them. */
const CPU_TIMES_MAX = 1.5
/** In the first turns V8 compiles what they run. */
const TURNS = 9
/** A turn is long, because the system may count CPU time in steps of 4 ms. */
const ROUNDS = 10
const FILE = join(import.meta.dirname, 'growth.json')
const TOP = join(import.meta.dirname, '..')
/** Cases of `test/kit/payloads`, of different kinds. */
const ALERTS = [
  'Uptime Kuma: monitor down',
  'Prometheus 2.42 + Alertmanager 0.25.0, one alert name, two disks of one host',
  'Zabbix resolved',
  'SNS CloudWatch',
  'Slack attachments',
  'OMD service mail',
  'smartd 7.4 warning mail, pending sectors',
  'systemctl status of a unit killed for memory',
]
/** Functions that read a whole text or decide about a word or a field. Most of the time is spent in them. */
const COSTLY = [
  'assignRoles',
  'cleanText',
  'hasFault',
  'joinedLine',
  'linesOf',
  'readSentence',
  'readState',
  'tokensOf',
]
const STARTS =
  /\bstart(?:\w*Gateway|InState|Hostile|ReadingRig)\(|(?:Gateway|GatewayProcess|ClusterRig)\.start\w*\(/g

/** What has grown too far, as sentences. */
export function growthFaults(kept: Growth, now: Growth): string[] {
  const faults: string[] = []
  const compare = (what: string, { is, was, above }: { is: number; was: number; above: number }) => {
    if (is > was + above) faults.push(`${what}: ${is}, kept are ${was}, at most ${Math.floor(was + above)}`)
  }
  for (const [floor, is] of Object.entries(now.lines)) {
    const was = kept.lines[floor] ?? 0
    const { share, min, max } = LINES_ABOVE
    compare(`lines of src/${floor}`, { is, was, above: Math.min(max, Math.max(min, share * was)) })
  }
  compare('gateways that the tests start', { is: now.gatewayStarts, was: kept.gatewayStarts, above: 0 })
  for (const [name, is] of Object.entries(now.calls)) {
    const was = kept.calls[name] ?? 0
    compare(`calls of ${name} in ${ALERTS.length} alerts`, { is, was, above: CALLS_ABOVE_SHARE * was })
    if (is === 0) faults.push(`no function of domain/alert is called ${name}: name another in COSTLY`)
  }
  const cpu = { is: now.renderingInLoops, was: kept.renderingInLoops * CPU_TIMES_MAX, above: 0 }
  if (cpu.is > cpu.was)
    faults.push(`CPU of ${ALERTS.length} alerts: ${cpu.is} loops, kept are ${kept.renderingInLoops}`)
  return faults
}

async function measureGrowth(): Promise<Growth> {
  const requests = readAlerts()
  // First, because counting calls makes them slow.
  const renderingInLoops = Number(measureCpu(requests).toFixed(2))
  return {
    lines: countLines(),
    gatewayStarts: countStarts(),
    calls: await countCalls(requests),
    renderingInLoops,
  }
}

function countLines(): Record<string, number> {
  const lines: Record<string, number> = {}
  for (const path of globSync('src/**/*.{ts,tsx}', { cwd: TOP }).sort()) {
    const floor = path.split('/')[1]?.replace(/\.ts$/, '') ?? ''
    lines[floor] = (lines[floor] ?? 0) + read(path).split('\n').length - 1
  }
  return lines
}

function countStarts(): number {
  const paths = globSync('test/**/*.test.ts', { cwd: TOP })
  return paths.reduce((count, path) => count + Array.from(read(path).matchAll(STARTS)).length, 0)
}

function readAlerts(): TriggerRequest[] {
  const cases = [...readAlertCases().values()].flat()
  return ALERTS.map(name => {
    const found = cases.find(one => one.name === name)
    if (found === undefined) throw new RangeError(`no alert of test/kit/payloads is called ${name}`)
    return requestOf(found)
  })
}

function renderAll(requests: readonly TriggerRequest[]): void {
  for (const request of requests) renderAlert(request, null)
}

async function countCalls(requests: readonly TriggerRequest[]): Promise<Record<string, number>> {
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  renderAll(requests)
  const { result } = await session.post('Profiler.takePreciseCoverage')
  session.disconnect()
  const calls = { all: 0, ...Object.fromEntries(COSTLY.map(name => [name, 0])) } as Record<string, number>
  for (const { functions } of result.filter(({ url }) => url.includes('/src/')))
    for (const { functionName: name, ranges } of functions) {
      const count = ranges[0]?.count ?? 0
      calls['all'] = (calls['all'] ?? 0) + count
      if (COSTLY.includes(name)) calls[name] = (calls[name] ?? 0) + count
    }
  return calls
}

/** CPU time of rendering, in rounds of the fixed loop: the median of several turns of both. */
function measureCpu(requests: readonly TriggerRequest[]): number {
  const turns = Array.from({ length: TURNS }, () => {
    const loop = cpuOf(turnWords)
    const rendering = cpuOf(() => renderAll(requests))
    return { rendering, inLoops: rendering / loop }
  }).sort((a, b) => a.inLoops - b.inLoops)
  const { rendering = 0, inLoops = 0 } = turns[Math.floor(TURNS / 2)] ?? {}
  console.log(`CPU of ${requests.length} alerts: ${(rendering / 1000).toFixed(1)} ms`)
  return inLoops
}

/** Microseconds of CPU of this thread that a run takes. */
function cpuOf(run: () => void): number {
  const before = process.threadCpuUsage()
  for (let round = 0; round < ROUNDS; round++) run()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / ROUNDS
}

/** A fixed amount of the kind of work that rendering is: expressions, pieces of text, maps. */
function turnWords(): void {
  const seen = new Map<string, number>()
  for (let round = 0; round < 3_000; round++)
    for (const word of `Disk ${round} of host web-${round % 7} is at ${round % 100} %`.split(/\s+/)) {
      const key = word.toLowerCase().replace(/[^a-z]+$/, '')
      seen.set(key, (seen.get(key) ?? 0) + 1)
    }
}

function read(path: string): string {
  return readFileSync(join(TOP, path), 'utf8')
}

function listed(numbers: Readonly<Record<string, number>>): string {
  return Object.entries(numbers)
    .map(([name, number]) => `${name} ${number}`)
    .join(', ')
}

if (process.argv[1] === import.meta.filename) {
  const now = await measureGrowth()
  const kept = JSON.parse(readFileSync(FILE, 'utf8')) as Growth
  console.log(`lines of src: ${listed(now.lines)}`)
  console.log(`places in tests that start a gateway: ${now.gatewayStarts}`)
  console.log(`calls in ${ALERTS.length} alerts: ${listed(now.calls)}; CPU in loops: ${now.renderingInLoops}`)
  if (process.argv.includes('--write')) writeFileSync(FILE, `${JSON.stringify(now, null, 2)}\n`)
  else {
    for (const fault of growthFaults(kept, now)) {
      console.error(`grown: ${fault}. If that is right: node scripts/check-growth.ts --write`)
      process.exitCode = 1
    }
  }
}
