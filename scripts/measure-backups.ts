/**
 * Makes backups of a gateway under load, and restores each of them: `node scripts/measure-backups.ts
 * [--rounds 20] [--rate 100] [--fill 60] [--messages 0]`. ROOST_BINARY names an executable to run in place
 * of the bundle. `--fill`: seconds of load that fill the database in advance. `--messages`: older messages in
 * it; ten million take 5 GB.
 *
 * A phone sends more slowly than messages arrive, so each backup contains many waiting messages. A restored
 * gateway must be intact and must send none of them, because they may have been sent since the backup. Exit
 * code 1: a check failed.
 */
import { rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { fillMessages } from '#bench/load/fill-messages.ts'
import { quantile } from '#bench/load/quantiles.ts'
import { startSender } from '#bench/load/send-from-thread.ts'
import { DatabaseSync } from '#storage/sqlite.ts'
import { FakePhone } from '#test/kit/fake-phone.ts'
import { type Cleaner, GatewayProcess, type Pairing } from '#test/kit/gateway-process.ts'
import { runToEnd } from '#test/kit/program.ts'

/** Seconds of load around each backup. */
const ROUND_S = 4
const ENV = { ROOST_DEVICES__SEGMENTS_PER_MINUTE: '3000', ROOST_DEVICES__SEGMENTS_BURST: '50' }
const BODY = { phoneNumber: '+14155550123', message: 'backup under load', queueIfOffline: true, ttl: 60 }

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '20' },
    rate: { type: 'string', default: '100' },
    fill: { type: 'string', default: '60' },
    messages: { type: 'string', default: '0' },
  },
})
const cleaning: (() => unknown)[] = []
const cleaner: Cleaner = { after: clean => cleaning.push(clean) }
const gateway = await GatewayProcess.start(cleaner, { env: ENV })
if (values.messages !== '0') {
  await gateway.stop()
  const file = join(gateway.dataDir, 'roost.db')
  fillMessages({ file, email: 'owner@localhost', count: Number(values.messages) })
  await gateway.restart()
}
const pairing = await gateway.pair('phone')
const phone = new FakePhone(pairing)
await phone.connect(gateway.socketUrl)
const perSecond = Number(values.rate)
const sender = await startSender({ url: gateway.url, perSecond, key: gateway.key, body: BODY })
await sender.send(Number(values.fill))
console.log(`sends alone: ${describeTimes(await sender.send(5 * ROUND_S))}`)
const backups: { file: string; ms: number }[] = []
const tookMs: number[] = []
for (let round = 1; round <= Number(values.rounds); round++) {
  let isMade = false
  const making = backUp(round).finally(() => {
    isMade = true
  })
  do tookMs.push(...(await sender.send(ROUND_S)))
  while (!isMade)
  backups.push(await making)
}
console.log(`sends beside ${backups.length} backups: ${describeTimes(tookMs)}`)
const lastBytes = statSync(backups.at(-1)?.file ?? '').size
console.log(`backups: ${describeTimes(backups.map(({ ms }) => ms))}, the last ${lastBytes} bytes`)
await sender.stop()
await gateway.kill()
const faults = []
for (const { file } of backups) faults.push(...(await tryRestore(file)))
for (const fault of faults) console.log(fault)
console.log(
  faults.length === 0
    ? 'every restored gateway is intact and sends nothing again'
    : `${faults.length} faults`,
)
process.exitCode = faults.length === 0 ? 0 : 1
for (const clean of cleaning.reverse()) await clean()

async function backUp(round: number): Promise<{ file: string; ms: number }> {
  const file = join(gateway.folder, `${round}.backup`)
  const startedAt = performance.now()
  await gateway.cli('backup', file)
  return { file, ms: performance.now() - startedAt }
}

/** Restores the backup; returns what is wrong with a gateway that runs on it. */
async function tryRestore(file: string): Promise<string[]> {
  const path = `${file}.data`
  const { code, stderr } = await runToEnd(['restore', file, '--data', path], { cwd: gateway.folder })
  if (code !== 0) return [`${file}: restore ended with ${code}: ${stderr}`]
  const database = new DatabaseSync(join(path, 'roost.db'), { readOnly: true })
  const check = database.prepare('PRAGMA integrity_check').get()?.['integrity_check']
  const open = database
    .prepare("SELECT count(*) AS n FROM message WHERE status IN ('queued', 'sending')")
    .get()
  const unknown = database.prepare(
    "SELECT count(*) AS n FROM message WHERE failure ->> '$.code' = 'OUTCOME_UNKNOWN'",
  )
  const count = Number(unknown.get()?.['n'])
  database.close()
  const faults = check === 'ok' ? [] : [`${file}: integrity_check: ${check}`]
  if (Number(open?.['n']) !== 0) faults.push(`${file}: ${open?.['n']} messages would be sent again`)
  if (count === 0) faults.push(`${file}: no message was waiting, so this backup tests nothing`)
  faults.push(...(await findSentAgain(path)))
  rmSync(path, { recursive: true })
  return faults
}

/** Reconnects the phone to the restored gateway, which must send only a new message. Returns the faults. */
async function findSentAgain(path: string): Promise<string[]> {
  const dataDir = { path, here: path }
  const restored = await GatewayProcess.start(cleaner, { env: ENV, dataDir })
  const later = new FakePhone(pairing satisfies Pairing)
  await later.connect(restored.socketUrl)
  const id = await restored.send('new')
  await restored.reached(id, 'delivered')
  await restored.stop()
  const others = later.radio.filter(one => one !== id)
  return others.length === 0 ? [] : [`${path}: ${others.length} messages were sent again`]
}

/** `p50 … p99 … longest`, in milliseconds. */
function describeTimes(all: readonly number[]): string {
  const at = (share: number) => quantile(all, share).toFixed(1)
  return `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, longest ${at(1)} ms`
}
