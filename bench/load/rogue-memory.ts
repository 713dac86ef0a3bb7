/**
 * Memory of a gateway whose notifications go to receivers that send 10 MB, trickle, hang or reset, printed at
 * intervals: the process as the system sees it, and the heaps of its threads as it tells them itself.
 */
import { type BenchGateway, startGateway } from '#bench/load/gateway.ts'
import { sendSteadily } from '#bench/load/send-steadily.ts'
import { startTargets } from '#bench/load/start-targets.ts'

const BEHAVIOURS = ['flood', 'trickle', 'hang', 'hang-after-headers', 'reset']
const TARGETS_EACH = 10
const NOTIFIED_PER_SECOND = 40

/** @param seconds of load; a sample is taken each tenth of it */
export async function measureRogueMemory(seconds: number): Promise<void> {
  const targets = await Promise.all(BEHAVIOURS.map(behaviour => startTargets(TARGETS_EACH, behaviour)))
  const urls = targets.flatMap(each => each.urls)
  const gateway = await startGateway({
    ROOST_PLANS__PRO__API_CALLS_PER_MINUTE: '-1',
    ROOST_NOTIFICATIONS__ALLOWED_HOSTS: '["127.0.0.1"]',
  })
  const key = await gateway.roost('key', 'create', '--account', 'owner@localhost', '--test')
  const message = { phoneNumber: '+14155550123', message: 'Backup of the NAS done in 12 minutes' }
  process.stdout.write(`\n${NOTIFIED_PER_SECOND} messages/s notify ${urls.length} rogue receivers\n`)
  for (let sample = 0; sample <= 10; sample += 1) {
    process.stdout.write(
      `  ${String(Math.round((sample * seconds) / 10)).padStart(4)} s  ${await memory(gateway)}\n`,
    )
    if (sample === 10) break
    await sendSteadily({
      url: gateway.url,
      perSecond: NOTIFIED_PER_SECOND,
      seconds: seconds / 10,
      call: turn => ({ key, body: { ...message, webhookUrl: urls[turn % urls.length] } }),
    })
  }
  await gateway.stop()
  for (const target of targets) target.stop()
}

async function memory({ url }: BenchGateway): Promise<string> {
  const text = await (await fetch(`${url}/metrics`)).text()
  const mb = (bytes: string | undefined) => (Number(bytes) / 1_048_576).toFixed(1)
  const resident = /^process_resident_memory_bytes (\S+)$/m.exec(text)?.[1]
  const heaps = [...text.matchAll(/^roost_thread_heap_bytes\{thread="([^"]+)"\} (\S+)$/gm)]
  const used = heaps.map(([, thread, bytes]) => `${thread} ${mb(bytes)}`).join(', ')
  return `resident ${mb(resident)} MB, heaps in MB: ${used}`
}
