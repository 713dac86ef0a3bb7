/**
 * Measures how much hanging receivers of notifications slow the callers that send messages: `POST /sms/send`
 * at a fixed pace on three gateways in turn. A second stream of messages makes notifications; the gateways
 * differ in their receivers: none, 200 that answer, and 200 that accept the request and never answer.
 */
import { readFileSync } from 'node:fs'
import { type BenchGateway, startGateway } from '#bench/load/gateway.ts'
import { median, quantile } from '#bench/load/quantiles.ts'
import { sendSteadily } from '#bench/load/send-steadily.ts'
import { startTargets } from '#bench/load/start-targets.ts'

const TARGETS = 200
const ROUNDS = 12
const SECONDS = 2
const SENDS_PER_SECOND = 200
/** Messages a second of the second stream. Each makes two events. */
const NOTIFIED_PER_SECOND = 40
/** Long enough for each target to hang once. */
const WARM_UP_S = 6
const KINDS = ['none', 'answer', 'hang'] as const

type Kind = (typeof KINDS)[number]

export async function benchHangingTargets(): Promise<void> {
  const sides = await Promise.all(KINDS.map(startSide))
  for (const side of sides) await side.load(WARM_UP_S)
  const tookMs = new Map<Kind, number[][]>(KINDS.map(kind => [kind, []]))
  const cpuMs = new Map<Kind, number>()
  for (let round = 0; round < ROUNDS; round += 1) {
    // Forwards, then backwards, so that a machine that grows busier slows all of them by the same amount.
    for (const side of round % 2 === 0 ? sides : sides.toReversed()) {
      const before = cpuMsOf(side.pid)
      tookMs.get(side.kind)?.push(await side.load(SECONDS))
      cpuMs.set(side.kind, (cpuMs.get(side.kind) ?? 0) + cpuMsOf(side.pid) - before)
    }
  }
  await Promise.all(sides.map(side => side.stop()))
  report(tookMs, cpuMs)
}

/** Processor time that a process has used (Linux counts in hundredths of a second). */
function cpuMsOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}

async function startSide(kind: Kind) {
  const targets = kind === 'none' ? null : await startTargets(TARGETS, kind)
  const gateway = await startGateway({
    ROOST_PLANS__PRO__API_CALLS_PER_MINUTE: '-1',
    ROOST_NOTIFICATIONS__ALLOWED_HOSTS: '["127.0.0.1"]',
  })
  const key = await gateway.roost('key', 'create', '--account', 'owner@localhost')
  const testKey = await gateway.roost('key', 'create', '--account', 'owner@localhost', '--test')
  return {
    kind,
    pid: gateway.pid,
    load: (seconds: number) => load(gateway, { key, testKey, urls: targets?.urls ?? [], seconds }),
    async stop() {
      await gateway.stop()
      targets?.stop()
    },
  }
}

interface LoadOptions {
  readonly key: string
  readonly testKey: string
  readonly urls: readonly string[]
  readonly seconds: number
}

/** Runs both streams; returns how long each answer of the first stream took. */
async function load({ url }: BenchGateway, { key, testKey, urls, seconds }: LoadOptions): Promise<number[]> {
  const message = { phoneNumber: '+14155550123', message: 'Backup of the NAS done in 12 minutes' }
  const notified = sendSteadily({
    url,
    seconds,
    perSecond: NOTIFIED_PER_SECOND,
    call: turn => ({ key: testKey, body: { ...message, webhookUrl: urls[turn % TARGETS] ?? null } }),
  })
  const tookMs = await sendSteadily({
    url,
    seconds,
    perSecond: SENDS_PER_SECOND,
    call: () => ({ key, body: { ...message, queueIfOffline: true } }),
  })
  await notified
  return tookMs
}

function report(tookMs: ReadonlyMap<Kind, readonly number[][]>, cpuMs: ReadonlyMap<Kind, number>): void {
  process.stdout.write(
    `\nPOST /sms/send, durable, ${SENDS_PER_SECOND}/s, beside ${NOTIFIED_PER_SECOND}/s that notify; ` +
      `${ROUNDS} rounds of ${SECONDS} s in turn\n`,
  )
  for (const kind of KINDS) {
    const all = (tookMs.get(kind) ?? []).flat()
    const rounds = (tookMs.get(kind) ?? []).map(round => quantile(round, 0.99))
    const share = (cpuMs.get(kind) ?? 0) / (10 * ROUNDS * SECONDS)
    process.stdout.write(
      `  ${LABELS[kind].padEnd(16)} ${share.toFixed(0)} % of a processor` +
        `  p50 ${quantile(all, 0.5).toFixed(2)} ms  p99 ${median(rounds).toFixed(2)} ms` +
        ` (rounds ${rounds.map(ms => ms.toFixed(1)).join(', ')})\n`,
    )
  }
  for (const kind of ['none', 'answer'] as const) {
    const ratio = (share: number) => {
      const roundsOf = (which: Kind) => (tookMs.get(which) ?? []).map(round => quantile(round, share))
      const others = roundsOf(kind)
      return median(roundsOf('hang').map((ms, round) => ms / (others[round] ?? Number.NaN)))
    }
    process.stdout.write(
      `  hanging ones / ${LABELS[kind]}, median of the rounds: p50 ${ratio(0.5).toFixed(2)}` +
        `  p99 ${ratio(0.99).toFixed(2)}\n`,
    )
  }
}

const LABELS: Readonly<Record<Kind, string>> = {
  none: 'no receivers',
  answer: `${TARGETS} that answer`,
  hang: `${TARGETS} that hang`,
}
