/**
 * Measures what phones with SMSGate cost: memory and processor time with event streams (cloud mode) and with
 * local servers that the gateway calls, at rest and while all of them send.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { bundleMain } from '#bench/load/bundle-main.ts'
import { type BenchGateway, startGateway } from '#bench/load/gateway.ts'
import { readProcessMemory } from '#bench/load/process-memory.ts'
import { runLimited } from '#bench/load/run-limited.ts'
import { readCpuNs } from '#bench/load/thread-cpu.ts'
import { CloudApp } from '#test/kit/cloud-app.ts'
import { SmsgatePhone } from '#test/kit/smsgate-phone.ts'

const STREAMS = 500
const LOCAL_SERVERS = 30
const REST_SECONDS = 30
/** Pairings in progress at the same time. */
const AT_ONCE = 8
/** Texts that are handed to the gateway without a pause. The pace of the phones spreads them. */
const TEXTS = 2_000
const OWNER = 'owner@localhost'
const MB = 1_048_576

interface Owner {
  readonly gateway: BenchGateway
  readonly token: string
}

export async function benchFleet(): Promise<void> {
  const gateway = await startGateway(
    {
      ROOST_PLANS__PRO__API_CALLS_PER_MINUTE: '60000',
      ROOST_HTTP__ANONYMOUS_CALLS_PER_MINUTE: '60000',
      ROOST_DEVICES__ALLOWED_HOSTS: '["127.0.0.1"]',
      ROOST_DEVICES__SEGMENTS_PER_MINUTE: '60',
      ROOST_DEVICES__SEGMENTS_BURST: '10',
      ROOST_LOG__LEVEL: 'warn',
    },
    bundleMain(),
  )
  const owner = { gateway, token: await gateway.roost('token', '--account', OWNER) }
  process.stdout.write('\nPhones with SMSGate\n')
  await printAtRest(gateway, 'no phone')
  const apps = await runLimited({ count: STREAMS, atOnce: AT_ONCE }, () => openCloudPhone(owner))
  await printAtRest(gateway, `${STREAMS} event streams`)
  const phones = await runLimited({ count: LOCAL_SERVERS, atOnce: AT_ONCE }, index =>
    addLocalServer(owner, index),
  )
  await untilOnline(owner, STREAMS + LOCAL_SERVERS)
  await printAtRest(gateway, `and ${LOCAL_SERVERS} local servers`)
  await sendAll(owner)
  await printAtRest(gateway, 'the same, afterwards')
  for (const { stop } of apps) stop()
  for (const phone of phones) await phone.stop()
  await gateway.stop()
}

/** Waits a moment, then measures a time without sends. Prints memory and processor time of the gateway. */
async function printAtRest({ pid }: BenchGateway, what: string): Promise<void> {
  await pause(5_000)
  const cpuBefore = readCpuNs(pid)
  await pause(REST_SECONDS * 1_000)
  const percent = (readCpuNs(pid) - cpuBefore) / (REST_SECONDS * 1e7)
  const { resident, malloc, others } = readProcessMemory(pid)
  const [all, native, heaps] = [resident, malloc, others].map(bytes => (bytes / MB).toFixed())
  const memory = `${all} MB resident (malloc ${native}, heaps ${heaps})`
  process.stdout.write(`  ${what.padEnd(24)} ${memory}, ${percent.toFixed(1)} % CPU\n`)
}

/**
 * A phone that opens its stream, fetches the messages that the stream announces, and reports each as sent.
 */
async function openCloudPhone(owner: Owner): Promise<{ stop(): void }> {
  const { code } = (await call(owner, 'POST', '/devices/pairings', {})) as { code: string }
  const app = new CloudApp(`${owner.gateway.url}/smsgate/v1`)
  const { status } = await app.register(`Code ${code}`)
  if (status !== 201) throw new Error(`a registration was answered ${status}`)
  const stream = await app.listen()
  const work = async () => {
    for (;;) {
      await stream.until('event: MessageEnqueued')
      for (const { id } of await app.pull())
        for (const state of ['Processed', 'Sent', 'Delivered']) await app.report(id, state)
    }
  }
  // Ends when the stream is closed.
  work().catch(() => {})
  return { stop: stream.close }
}

async function addLocalServer(owner: Owner, index: number): Promise<SmsgatePhone> {
  const phone = await SmsgatePhone.start({ phoneId: `phone-${index}` })
  const { url, password } = phone.access
  await call(owner, 'POST', '/devices', { kind: 'smsgate', url, password })
  return phone
}

async function untilOnline(owner: Owner, count: number): Promise<void> {
  for (;;) {
    const devices = (await call(owner, 'GET', '/devices')) as { status: string }[]
    if (devices.filter(({ status }) => status === 'online').length === count) return
    await pause(500)
  }
}

async function sendAll(owner: Owner): Promise<void> {
  const { pid } = owner.gateway
  const [cpuBefore, startedAt] = [readCpuNs(pid), performance.now()]
  const message = { phoneNumber: '+14155550123', message: 'from the bench' }
  await runLimited({ count: TEXTS, atOnce: AT_ONCE }, () => call(owner, 'POST', '/sms/send', message))
  for (;;) {
    await pause(500)
    const open = await Promise.all(
      ['queued', 'sending'].map(status => call(owner, 'GET', `/sms?limit=1&status=${status}`)),
    )
    if (open.flat().length === 0) break
  }
  const [seconds, cpuMs] = [(performance.now() - startedAt) / 1000, (readCpuNs(pid) - cpuBefore) / 1e6]
  process.stdout.write(
    `  ${TEXTS} texts in ${seconds.toFixed(1)} s: ${(cpuMs / TEXTS).toFixed(2)} ms CPU for each\n`,
  )
}

async function call(
  { gateway, token }: Owner,
  method: string,
  path: string,
  body?: object,
): Promise<unknown> {
  const response = await fetch(`${gateway.url}/api/v1${path}`, {
    method,
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const { data, error } = (await response.json()) as { data: unknown; error?: { message: string } }
  if (response.status !== 200) throw new Error(`${path} was answered ${response.status}: ${error?.message}`)
  return data
}
