/**
 * Measures many idle phones: how much memory they take, and how slow sending becomes when all of them lose
 * their connection at once, and when the gateway restarts. They return after the same waits as agents. The
 * gateway runs from its bundle, as users run it.
 */

import { readFileSync, rmSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { reconnectDelayMs } from '#agent/stay-connected.ts'
import { makeBenchFolder } from '#bench/load/bench-folder.ts'
import { bundleMain } from '#bench/load/bundle-main.ts'
import { type BenchGateway, startGateway } from '#bench/load/gateway.ts'
import { quantile } from '#bench/load/quantiles.ts'
import { runLimited } from '#bench/load/run-limited.ts'
import { type Sender, startSender } from '#bench/load/send-from-thread.ts'
import { readCpuNs } from '#bench/load/thread-cpu.ts'
import { DEVICE_PROTOCOL, DEVICE_SUBPROTOCOL, type GatewayFrame } from '#contracts/device-frames.ts'

/** Measured one after the other. */
const PHONE_COUNTS = [2_000, 10_000]
/** How many phones pair at the same time, or connect before the measurements. */
const AT_ONCE = 16
const SENDS_PER_SECOND = 100
/** The length of each measurement of sends. */
const SECONDS = 10
const OWNER = 'owner@localhost'
const LIMITS = {
  ROOST_PLANS__PRO__API_CALLS_PER_MINUTE: '60000',
  ROOST_HTTP__ANONYMOUS_CALLS_PER_MINUTE: '60000',
  ROOST_DEVICES__OFFLINE_AFTER_S: '600',
}

const HELLO = {
  type: 'hello',
  protocol: DEVICE_PROTOCOL,
  bootId: 'bench',
  appVersion: '1',
  platform: 'bench',
  sims: [],
}

interface Phone {
  readonly socketUrl: string
  readonly token: string
  socket: WebSocket | null
}

export async function benchPhones(): Promise<void> {
  const directory = makeBenchFolder('phones')
  const [main, env] = [bundleMain(), { ...LIMITS, ROOST_DATA_DIR: directory }]
  const gateway = await startGateway(env, main)
  const key = await gateway.roost('key', 'create', '--account', OWNER)
  const accountToken = await gateway.roost('token', '--account', OWNER)
  const phones: Phone[] = []
  process.stdout.write('\nIdle phones\n')
  const before = await restingMb(gateway)
  for (const count of PHONE_COUNTS) {
    const added = await runLimited({ count: count - phones.length, atOnce: AT_ONCE }, () =>
      pair(gateway.url, accountToken),
    )
    phones.push(...added)
    await runLimited({ count: added.length, atOnce: AT_ONCE }, index => connect(added[index] as Phone))
    const after = await restingMb(gateway)
    process.stdout.write(
      `  ${count} connected: ${after} MB resident, ${after - before} more than with none\n`,
    )
  }
  const body = { phoneNumber: '+14155550123', message: 'The NAS is on battery', queueIfOffline: true }
  const sender = await startSender({ url: gateway.url, perSecond: SENDS_PER_SECOND, key, body })
  report('sends while they are idle', await sender.send(SECONDS))
  await reconnectAll(phones, { gateway, sender, startedAt: performance.now() })
  for (const { socket } of phones) socket?.removeAllListeners('close')
  await gateway.stop()
  const startedAt = performance.now()
  const restarted = await startGateway({ ...env, ROOST_HTTP__PORT: new URL(gateway.url).port }, main)
  process.stdout.write(`  restarted, listening after ${(performance.now() - startedAt).toFixed(0)} ms\n`)
  await reconnectAll(phones, { gateway: restarted, sender, startedAt })
  await sender.stop()
  for (const { socket } of phones) socket?.terminate()
  await restarted.stop()
  rmSync(directory, { recursive: true, force: true })
}

interface ReconnectOptions {
  readonly gateway: BenchGateway
  readonly sender: Sender
  /** The time until all phones are back is measured from this moment. */
  readonly startedAt: number
}

/**
 * Reconnects all phones. Reports how long sends take during that time, and the CPU that gateway and bench use
 * until all phones are back.
 */
async function reconnectAll(
  phones: readonly Phone[],
  { gateway, sender, startedAt }: ReconnectOptions,
): Promise<void> {
  const benchBefore = process.cpuUsage()
  const gatewayNsBefore = readCpuNs(gateway.pid)
  const back = cutAndReconnect(phones, startedAt).then(() => {
    const { user, system } = process.cpuUsage(benchBefore)
    const gatewayMs = (readCpuNs(gateway.pid) - gatewayNsBefore) / 1e6
    const seconds = (ms: number) => (ms / 1000).toFixed(1)
    return (
      `all ${phones.length} back after ${seconds(performance.now() - startedAt)} s; CPU: gateway ` +
      `${seconds(gatewayMs)} s, bench ${seconds((user + system) / 1000)} s`
    )
  })
  report('sends while all reconnect', await sender.send(SECONDS))
  process.stdout.write(`  ${await back}\n`)
}

async function pair(url: string, accountToken: string): Promise<Phone> {
  const { code } = (await post(`${url}/api/v1/devices/pairings`, {}, accountToken)) as { code: string }
  const request = { code, name: 'bench', platform: 'bench', appVersion: '1' }
  const paired = (await post(`${url}/device/v1/pair`, request)) as { token: string; socketUrl: string }
  return { ...paired, socket: null }
}

async function post(url: string, body: object, token?: string): Promise<unknown> {
  const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) }
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  const { data } = (await answer.json()) as { data: unknown }
  if (answer.status !== 200) throw new Error(`${url} was answered ${answer.status}`)
  return data
}

/** Resolves when the gateway counts the phone as connected; rejects if it closes the socket. */
async function connect(phone: Phone): Promise<void> {
  const socket = new WebSocket(phone.socketUrl, DEVICE_SUBPROTOCOL, {
    headers: { authorization: `Bearer ${phone.token}` },
    perMessageDeflate: false,
  })
  phone.socket = socket
  socket.on('error', () => socket.terminate())
  const synced = new Promise<void>((resolve, reject) => {
    socket.on('open', () => {
      socket.send(JSON.stringify(HELLO))
      socket.send(JSON.stringify({ type: 'sync', messages: [] }))
    })
    socket.on('message', bytes => {
      const frame = JSON.parse(String(bytes)) as GatewayFrame
      if (frame.type === 'synced') resolve()
      else answerFrame(socket, frame)
    })
    socket.on('close', code => reject(new Error(`the gateway closed a phone's socket: ${code}`)))
  })
  await synced
}

/** Answers like a phone that sends every message that it is offered. */
function answerFrame(socket: WebSocket, frame: GatewayFrame): void {
  if (frame.type !== 'offer' && frame.type !== 'go') return
  const { messageId, attempt } = frame
  const report = {
    type: 'report',
    messageId,
    attempt,
    state: 'delivered',
    code: null,
    detail: null,
    at: null,
  }
  socket.send(JSON.stringify(frame.type === 'offer' ? { type: 'begin', messageId, attempt } : report))
}

/** Cuts every connection, as a power cut of the router does, and lets the phones return as agents do. */
async function cutAndReconnect(phones: readonly Phone[], startedAt: number): Promise<void> {
  for (const { socket } of phones) {
    socket?.removeAllListeners('close')
    socket?.terminate()
  }
  const downMs = performance.now() - startedAt
  await Promise.all(phones.map(phone => returnPhone(phone, downMs)))
}

/**
 * Connects after the wait of an agent whose gateway was gone for `downMs`. The bench leaves out the tries
 * that fail meanwhile: they cost the gateway nothing, and the bench would take processor time from it.
 */
async function returnPhone(phone: Phone, downMs: number): Promise<void> {
  let [failures, waitMs] = [0, 0]
  do waitMs += reconnectDelayMs(++failures, Math.random)
  while (waitMs < downMs)
  await pause(waitMs - downMs)
  while (!(await tryToConnect(phone))) await pause(reconnectDelayMs(++failures, Math.random))
}

/** Connects. False: the gateway closed the connection before it had read the phone's journal. */
async function tryToConnect(phone: Phone): Promise<boolean> {
  try {
    await connect(phone)
    return true
  } catch {
    phone.socket?.removeAllListeners('close')
    return false
  }
}

function report(what: string, tookMs: readonly number[]): void {
  const at = (share: number) => quantile(tookMs, share).toFixed(1)
  process.stdout.write(`  ${what}: p50 ${at(0.5)} ms  p99 ${at(0.99)} ms\n`)
}

/** Resident memory after a moment of rest, MB (Linux). */
async function restingMb({ pid }: BenchGateway): Promise<number> {
  await pause(3_000)
  const kb = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Math.round(Number(kb) / 1024)
}
