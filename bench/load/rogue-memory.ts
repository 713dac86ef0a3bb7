/**
 * Prints at intervals the memory of a gateway whose receivers of notifications misbehave: they send 10 MB,
 * trickle, hang, reset, redirect or refuse. Prints the memory of the process as the system sees it, and the
 * heaps of its threads. With `isHealthy`, the receivers answer, for comparison.
 */

import { rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { makeBenchFolder } from '#bench/load/bench-folder.ts'
import { startGateway } from '#bench/load/gateway.ts'
import { readProcessMemory, readThreadHeaps } from '#bench/load/process-memory.ts'
import { sendSteadily } from '#bench/load/send-steadily.ts'
import { startTargets } from '#bench/load/start-targets.ts'

const ROGUES = ['flood', 'trickle', 'hang', 'hang-after-headers', 'reset', 'redirect', 'error']
const TARGETS_EACH = 10
const NOTIFIED_PER_SECOND = 40
const SAMPLES = 24
const REPORT_HEAP = fileURLToPath(new URL('./report-heap.ts', import.meta.url))

export interface MemoryRun {
  readonly seconds: number
  /** True: every receiver answers 204. False: the receivers misbehave. Their number is the same. */
  readonly isHealthy: boolean
  /**
   * Each thread collects garbage before it reports: shows what is in use, but changes the resident memory.
   */
  readonly isCollecting: boolean
}

export async function measureRogueMemory({ seconds, isHealthy, isCollecting }: MemoryRun): Promise<void> {
  const targets = await Promise.all(
    isHealthy
      ? [startTargets(TARGETS_EACH * ROGUES.length, 'answer')]
      : ROGUES.map(behaviour => startTargets(TARGETS_EACH, behaviour)),
  )
  const urls = targets.flatMap(each => each.urls)
  const heaps = makeBenchFolder('heaps')
  const dataDirectory = `${heaps}-data`
  const gateway = await startGateway({
    ROOST_DATA_DIR: dataDirectory,
    ROOST_PLANS__PRO__API_CALLS_PER_MINUTE: '-1',
    ROOST_NOTIFICATIONS__ALLOWED_HOSTS: '["127.0.0.1"]',
    NODE_OPTIONS: `--import ${REPORT_HEAP}`,
    ROOST_BENCH_HEAPS: heaps,
    ...(isCollecting && { ROOST_BENCH_COLLECT: '1' }),
  })
  const key = await gateway.roost('key', 'create', '--account', 'owner@localhost', '--test')
  const message = { phoneNumber: '+14155550123', message: 'Backup of the NAS done in 12 minutes' }
  const receivers = `${urls.length} ${isHealthy ? 'healthy' : 'rogue'} receivers`
  process.stdout.write(`\n${NOTIFIED_PER_SECOND} messages/s, two events each, to ${receivers}\n`)
  process.stdout.write(
    'MB:    resident =  files + malloc + others; database; heap in use/reserved by thread\n',
  )
  for (let sample = 0; sample <= SAMPLES; sample += 1) {
    const at = String(Math.round((sample * seconds) / SAMPLES)).padStart(5)
    process.stdout.write(`${at} s  ${describe(gateway.pid, { heaps, dataDirectory })}\n`)
    if (sample === SAMPLES) break
    await sendSteadily({
      url: gateway.url,
      perSecond: NOTIFIED_PER_SECOND,
      seconds: seconds / SAMPLES,
      call: turn => ({ key, body: { ...message, webhookUrl: urls[turn % urls.length] } }),
    })
  }
  await gateway.stop()
  for (const target of targets) target.stop()
  for (const directory of [heaps, dataDirectory]) rmSync(directory, { recursive: true, force: true })
}

interface Directories {
  readonly heaps: string
  readonly dataDirectory: string
}

function describe(pid: number, { heaps, dataDirectory }: Directories): string {
  const { resident, files, malloc, others } = readProcessMemory(pid)
  const { size } = statSync(join(dataDirectory, 'roost.db'))
  const parts = [resident, files, malloc, others, size].map(bytes => mb(bytes).padStart(6))
  const threads = readThreadHeaps(heaps).map(
    ({ thread, used, reserved }) => `${thread} ${mb(used)}/${mb(reserved)}`,
  )
  return `${parts.join(' ')}; ${threads.join(', ')}`
}

function mb(bytes: number): string {
  return (bytes / 1_048_576).toFixed(1)
}
