/**
 * Compares Kannel's smsbox and its spool store (a file for each message, none of them synced) with the
 * durable `POST /sms/send`, in one run, by the same client. Needs Debian's `kannel`.
 */

import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { makeBenchFolder } from '#bench/load/bench-folder.ts'
import { startGateway } from '#bench/load/gateway.ts'
import { GENERATOR, generateLoad, type LoadResult } from '#bench/load/generate-load.ts'
import { median } from '#bench/load/quantiles.ts'
import { SEND_BODY } from '#bench/load/send.ts'
import { freePorts } from '#test/kit/free-ports.ts'

const CONNECTIONS = [64, 256]
/** All sends together must stay below `messagesOpenMax`, because no phone takes them. */
const ROUNDS = 4
const SECONDS = 2
const OWNER = 'owner@localhost'
const { phoneNumber: to, message: text } = JSON.parse(SEND_BODY) as { phoneNumber: string; message: string }
const MESSAGE = { to, text }
const START_TRIES = 50

export async function benchKannel(): Promise<void> {
  process.stdout.write(`\nKannel's smsbox and Roost; load by ${GENERATOR}\n`)
  if (['bearerbox', 'smsbox'].some(name => spawnSync(name, ['--version']).error !== undefined))
    return void process.stdout.write('  skipped: kannel is not installed (apt-get install kannel)\n')
  for (const connections of CONNECTIONS) await compare(connections)
}

/** Both programs start anew, because no phone and no carrier takes the texts. */
async function compare(connections: number): Promise<void> {
  const kannel = await startKannel()
  const gateway = await startGateway({ ROOST_PLANS__PRO__API_CALLS_PER_MINUTE: '-1' })
  const key = await gateway.roost('key', 'create', '--account', OWNER)
  const atOnce = { connections, seconds: SECONDS }
  const send = { ...atOnce, url: `${gateway.url}/api/v1/sms/send`, body: SEND_BODY, keys: [key] }
  const sides = [
    { name: 'smsbox', load: { ...atOnce, ...kannel.request }, results: [] as LoadResult[] },
    { name: 'roost', load: send, results: [] as LoadResult[] },
  ]
  for (let round = -1; round < ROUNDS; round += 1)
    // Forwards, then backwards. The first round is warm-up.
    for (const { load, results } of round % 2 === 0 ? sides : sides.toReversed()) {
      const result = await generateLoad(load)
      if (round >= 0) results.push(result)
    }
  process.stdout.write(`  ${connections} connections\n`)
  for (const { name, results } of sides) report(name, results)
  const [theirs = [], ours = []] = sides.map(({ results }) => results.map(one => one.requestsPerSecond))
  const ratios = ours.map((perSecond, round) => perSecond / (theirs[round] ?? Number.NaN))
  process.stdout.write(`    roost/smsbox ${median(ratios).toFixed(2)} (${span(ratios)})\n`)
  await gateway.stop()
  await kannel.stop()
}

/** Starts both programs of Kannel with a carrier that never connects, so every message stays in the spool. */
async function startKannel() {
  const directory = makeBenchFolder('kannel')
  const spool = join(directory, 'spool')
  mkdirSync(spool)
  const [admin = 0, boxes = 0, carrier = 0, sending = 0] = await freePorts(4)
  const file = join(directory, 'kannel.conf')
  writeFileSync(
    file,
    [
      `group = core\nadmin-port = ${admin}\nadmin-password = bench\nsmsbox-port = ${boxes}`,
      `store-type = spool\nstore-location = ${spool}\nlog-level = 4\n`,
      `group = smsc\nsmsc = fake\nsmsc-id = none\nport = ${carrier}\nconnect-allow-ip = 127.0.0.1\n`,
      `group = smsbox\nbearerbox-host = 127.0.0.1\nsendsms-port = ${sending}`,
      'global-sender = 13013\nlog-level = 4\n',
      'group = sendsms-user\nusername = bench\npassword = bench\nconcatenation = true\nmax-messages = 3\n',
    ].join('\n'),
  )
  const query = new URLSearchParams({ username: 'bench', password: 'bench', ...MESSAGE })
  const start = (program: string) => spawn(program, [file], { cwd: directory, stdio: 'ignore' })
  const bearerbox = start('bearerbox')
  await untilAnswers(admin)
  const smsbox = start('smsbox')
  await untilAnswers(sending)
  return {
    request: {
      url: `http://127.0.0.1:${sending}/cgi-bin/sendsms?${query}`,
      method: 'GET' as const,
      body: '',
      keys: ['none'],
    },
    async stop() {
      for (const program of [smsbox, bearerbox]) {
        const ended = once(program, 'exit')
        program.kill('SIGKILL')
        await ended
      }
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

async function untilAnswers(port: number): Promise<void> {
  for (let tries = 0; tries < START_TRIES; tries += 1) {
    const answer = await fetch(`http://127.0.0.1:${port}/`).catch(() => null)
    if (answer !== null) return
    await pause(200)
  }
  throw new Error(`kannel does not answer on port ${port}`)
}

function report(name: string, results: readonly LoadResult[]): void {
  const pick = (key: keyof LoadResult) => median(results.map(result => result[key]))
  const bad = results.reduce((sum, result) => sum + result.bad, 0)
  process.stdout.write(
    `    ${name.padEnd(12)} ${pick('requestsPerSecond').toFixed(0).padStart(6)}/s` +
      `  p50 ${pick('p50Ms').toFixed(1)} ms  p99 ${pick('p99Ms').toFixed(1)} ms  not 2xx: ${bad}\n`,
  )
}

function span(values: readonly number[]): string {
  return `${Math.min(...values).toFixed(2)} to ${Math.max(...values).toFixed(2)}`
}
