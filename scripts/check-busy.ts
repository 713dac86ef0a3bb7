/**
 * Shows that a busy machine makes no text poorer: `node scripts/check-busy.ts [minute|start]`. The gateway
 * runs in a control group with a part of one processor, and each sync takes 20 ms longer, as on a Raspberry
 * Pi with other work and a slow SD card. ROOST_BINARY names an executable to run in place of the bundle.
 *
 *   minute  a quarter of a processor: 200 alerts in a minute
 *   start   7 % of a processor: 66 senders try once a second from the start of the process on
 *
 * The alerts are bodies of `test/kit/payloads`. Exit code 1: an alert was not answered with the text that
 * this process makes of it. Needs root, control groups and strace; without them the script says so and exits
 * with 0.
 */
import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { quantile } from '#bench/load/quantiles.ts'
import type { TriggerRequest } from '#contracts/webhook.ts'
import { renderAlert } from '#domain/alert/render-alert.ts'
import { messageOf } from '#domain/cause.ts'
import { readAlertCases, requestOf } from '#test/kit/alert-payloads.ts'
import { GatewayProcess } from '#test/kit/gateway-process.ts'
import { Random } from '#test/kit/random.ts'
import { slowSync, straceMissing } from '#test/kit/strace.ts'

const SYNC_MS = 20
const PERIOD_US = 100_000
const WEBHOOKS = 8
const MINUTE_ALERTS = 200
const START_ALERTS = 66
const RETRY_MS = 1_000
const SEED = 1

/** A control group with a part of one processor. */
class ProcessorGroup {
  readonly #folder: string
  readonly #isOld: boolean

  /** @throws Error when this user cannot make control groups on this machine */
  constructor() {
    const old = '/sys/fs/cgroup/cpu'
    this.#isOld = existsSync(join(old, 'cpu.cfs_quota_us'))
    this.#folder = join(this.#isOld ? old : '/sys/fs/cgroup', `roost-busy-${process.pid}`)
    if (!this.#isOld) writeFileSync('/sys/fs/cgroup/cgroup.subtree_control', '+cpu')
    mkdirSync(this.#folder)
  }

  /** A command that runs the command that follows it in the group. */
  get command(): string[] {
    return ['sh', '-c', `echo $$ >${this.#folder}/cgroup.procs; exec "$@"`, 'sh']
  }

  limit(share: number): void {
    const quotaUs = Math.round(PERIOD_US * share)
    if (!this.#isOld) return writeFileSync(join(this.#folder, 'cpu.max'), `${quotaUs} ${PERIOD_US}`)
    writeFileSync(join(this.#folder, 'cpu.cfs_period_us'), String(PERIOD_US))
    writeFileSync(join(this.#folder, 'cpu.cfs_quota_us'), String(quotaUs))
  }

  remove(): void {
    rmdirSync(this.#folder)
  }
}

interface Alert {
  readonly request: TriggerRequest
  /** The text that this process makes of it. */
  readonly text: string
}

interface Run {
  readonly gateway: GatewayProcess
  readonly group: ProcessorGroup
  /** The paths of webhooks. */
  readonly paths: readonly string[]
}

const PARTS = {
  async minute({ gateway, group, paths }: Run, alerts: readonly Alert[]) {
    group.limit(0.25)
    const startedAt = performance.now()
    return Promise.all(
      alerts.slice(0, MINUTE_ALERTS).map(async (alert, index) => {
        await pause(startedAt + (60_000 * index) / MINUTE_ALERTS - performance.now())
        return post(urlOf(gateway, paths, index), alert)
      }),
    )
  },
  async start({ gateway, group, paths }: Run, alerts: readonly Alert[]) {
    await gateway.stop()
    group.limit(0.07)
    const restarted = gateway.restart()
    const answers = await Promise.all(
      alerts.slice(MINUTE_ALERTS).map(async (alert, index) => {
        await pause((RETRY_MS * index) / START_ALERTS)
        return post(urlOf(gateway, paths, index), alert)
      }),
    )
    await restarted
    console.log(`  ready after ${(gateway.readyMs / 1000).toFixed(1)} s`)
    return answers
  },
}

const group = openGroup()
if (group !== null) {
  const alerts = pickAlerts(MINUTE_ALERTS + START_ALERTS)
  for (const [name, part] of Object.entries(PARTS))
    if (process.argv[2] === undefined || process.argv[2] === name)
      await check(group, name, run => part(run, alerts))
  group.remove()
}

function openGroup(): ProcessorGroup | null {
  try {
    const missing = straceMissing()
    if (missing !== false) throw new Error(missing)
    return new ProcessorGroup()
  } catch (error) {
    console.error(`**** SKIPPED: this machine cannot be made slow: ${messageOf(error)} ****`)
    return null
  }
}

/** Bodies of the corpus in a random order, each with another text. */
function pickAlerts(count: number): Alert[] {
  const random = new Random(SEED)
  const cases = [...readAlertCases().values()].flat().map(one => ({ one, at: random.next() }))
  const byText = new Map<string, Alert>()
  for (const { one } of cases.toSorted((a, b) => a.at - b.at)) {
    const request = requestOf(one)
    const text = renderAlert(request, null).message
    byText.set(text, { request, text })
    if (byText.size === count) break
  }
  return [...byText.values()]
}

async function check(
  group: ProcessorGroup,
  name: string,
  part: (run: Run) => Promise<readonly Answer[]>,
): Promise<void> {
  const cleaning: (() => unknown)[] = []
  group.limit(1)
  const under = [...slowSync(SYNC_MS), ...group.command]
  try {
    const gateway = await GatewayProcess.start({ after: clean => cleaning.push(clean) }, { under })
    await gateway.pair('phone')
    const paths = await Promise.all(Array.from({ length: WEBHOOKS }, () => createWebhook(gateway)))
    report(name, await part({ gateway, group, paths }))
  } finally {
    for (const clean of cleaning.reverse()) await clean()
  }
}

function report(name: string, answers: readonly Answer[]): void {
  const faults = answers.flatMap(({ fault }) => fault ?? [])
  for (const fault of faults) console.log(`  ${fault}`)
  const [median, slowest] = [0.5, 1].map(
    share =>
      quantile(
        answers.map(one => one.tookMs),
        share,
      ) / 1000,
  )
  const times = `answered in ${median?.toFixed(1)} s (median), ${slowest?.toFixed(1)} s (slowest)`
  console.log(`${name}: ${answers.length} alerts, ${faults.length} with a wrong text or none; ${times}`)
  if (faults.length > 0) process.exitCode = 1
}

async function createWebhook(gateway: GatewayProcess): Promise<string> {
  const body = { name: 'busy', recipients: ['+14155550123'], maxPerHour: 1000 }
  const { data } = await gateway.asOwner('POST', '/webhooks', body)
  return (data as { url: string }).url
}

function urlOf(gateway: GatewayProcess, paths: readonly string[], index: number): string {
  return `${gateway.url}${paths[index % paths.length]}`
}

interface Answer {
  readonly tookMs: number
  /** What is wrong with the answer; null: nothing. */
  readonly fault: string | null
}

/** Posts an alert, again and again while nothing listens. */
async function post(url: string, { request, text }: Alert): Promise<Answer> {
  const { method, query, contentType, headers, body } = request
  const init = {
    method,
    headers: { ...headers, ...(contentType !== null && { 'content-type': contentType }) },
    ...(method === 'POST' && { body: new Uint8Array(body) }),
  }
  for (;;) {
    const startedAt = performance.now()
    const response = await fetch(query === '' ? url : `${url}?${query}`, init).catch(() => null)
    if (response === null) {
      await pause(RETRY_MS)
      continue
    }
    const answer = (await response.json()) as { data?: { message?: string } }
    const tookMs = performance.now() - startedAt
    const isRight = answer.data?.message === text
    return { tookMs, fault: isRight ? null : `${response.status} ${JSON.stringify(answer)}, not: ${text}` }
  }
}
