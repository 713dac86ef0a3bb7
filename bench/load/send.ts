/**
 * Measures two servers in one run, in requests a second: a uWebSockets.js server that only echoes the same
 * JSON (the ceiling), and `POST /sms/send` with key, limiter, validation, number check and fsync. Only the
 * ratio of the two means something, because the machine may be busy with other work.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { type BenchGateway, endWithBench, startGateway } from '#bench/load/gateway.ts'
import { GENERATOR, generateLoad, type LoadResult } from '#bench/load/generate-load.ts'
import { median } from '#bench/load/quantiles.ts'

const CONNECTIONS = [64, 256]
const ROUNDS = 3
const SECONDS = 3
/** Each account may make 60,000 calls at once and 1,000 a second: enough for one comparison. */
const ACCOUNTS = 6
export const SEND_BODY = JSON.stringify({
  phoneNumber: '+14155550123',
  message: 'Backup of the NAS done in 12 minutes, 3 files changed',
  queueIfOffline: true,
})

export async function benchSend(): Promise<void> {
  const ceiling = await startCeiling()
  process.stdout.write(
    `\nPOST /sms/send, durable, one listener; load by ${GENERATOR}, ${ROUNDS} rounds of ${SECONDS} s\n`,
  )
  for (const connections of CONNECTIONS) await compare(ceiling, connections)
  ceiling.stop()
}

/**
 * Each comparison has a gateway of its own: no phone takes the texts, and a gateway keeps a bounded number
 * of open ones (`messagesOpenMax`).
 */
async function compare(ceiling: Ceiling, connections: number): Promise<void> {
  const gateway = await startGateway({ ROOST_PLANS__PRO__API_CALLS_PER_MINUTE: '60000' })
  const keys = await createKeys(gateway)
  const idleMb = residentMb(gateway.pid)
  const rounds: { echo: LoadResult; ours: LoadResult }[] = []
  for (let i = 0; i < ROUNDS; i++) {
    const load = { connections, seconds: SECONDS, body: SEND_BODY, keys }
    const echo = await generateLoad({ ...load, url: ceiling.url })
    const ours = await generateLoad({ ...load, url: `${gateway.url}/api/v1/sms/send` })
    rounds.push({ echo, ours })
  }
  process.stdout.write(`  ${connections} connections; idle memory ${idleMb} MB\n`)
  report(rounds)
  await gateway.stop()
}

/**
 * Creates several accounts, and one key of each, because the limit of one account is too low for the bench.
 */
export async function createKeys(gateway: BenchGateway): Promise<string[]> {
  return (await createAccounts(gateway)).map(({ key }) => key)
}

export interface BenchAccount {
  readonly email: string
  readonly password: string
  readonly key: string
}

export async function createAccounts(gateway: BenchGateway): Promise<BenchAccount[]> {
  const accounts: BenchAccount[] = []
  for (let i = 0; i < ACCOUNTS; i++) {
    const email = `bench${i}@localhost`
    const password = await gateway.roost('account', 'create', email, '--plan', 'pro')
    accounts.push({ email, password, key: await gateway.roost('key', 'create', '--account', email) })
  }
  return accounts
}

function report(rounds: readonly { echo: LoadResult; ours: LoadResult }[]): void {
  const ratios = rounds.map(({ echo, ours }) => ours.requestsPerSecond / echo.requestsPerSecond)
  for (const name of ['echo', 'ours'] as const) {
    const pick = (key: keyof LoadResult) => median(rounds.map(round => round[name][key]))
    const bad = rounds.reduce((sum, round) => sum + round[name].bad, 0)
    const label = name === 'echo' ? 'ceiling (echo)' : 'durable send'
    process.stdout.write(
      `    ${label.padEnd(15)} ${pick('requestsPerSecond').toFixed(0).padStart(7)}/s` +
        `  p50 ${pick('p50Ms').toFixed(1)} ms  p99 ${pick('p99Ms').toFixed(1)} ms  not 2xx: ${bad}\n`,
    )
  }
  const [min, max] = [Math.min(...ratios), Math.max(...ratios)]
  process.stdout.write(
    `    ratio           ${median(ratios).toFixed(2)} (${min.toFixed(2)} to ${max.toFixed(2)})\n`,
  )
}

interface Ceiling {
  readonly url: string
  readonly pid: number
  stop(): void
}

/** Starts the echo server in its own process. */
export async function startCeiling(): Promise<Ceiling> {
  const file = fileURLToPath(new URL('./ceiling.ts', import.meta.url))
  const child = spawn(process.execPath, [file], { stdio: ['ignore', 'pipe', 'inherit'] })
  endWithBench(child)
  const [port] = (await once(createInterface(child.stdout), 'line')) as [string]
  return { url: `http://127.0.0.1:${port}/`, pid: child.pid ?? 0, stop: () => void child.kill() }
}

/** Resident memory of a process, MB (Linux). */
function residentMb(pid: number): number {
  const kb = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Math.round(Number(kb) / 1024)
}
