/**
 * Loaded into every thread of a gateway (`node --import`): writes at intervals how many bytes of the
 * thread's heap are in use and how many are reserved. With ROOST_BENCH_COLLECT the thread collects garbage
 * first, so that only what is still reachable counts.
 */
import { writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { getHeapStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { isMainThread, threadId } from 'node:worker_threads'

const EVERY_MS = 5_000
const directory = process.env['ROOST_BENCH_HEAPS']
const isCollecting = process.env['ROOST_BENCH_COLLECT'] !== undefined

if (isCollecting) setFlagsFromString('--expose-gc')
const collect: () => void = isCollecting ? runInNewContext('gc') : () => {}
const thread = isMainThread ? 'main' : basename(process.argv[1] ?? '').replace(/\..*$/, ` ${threadId}`)

function report(): void {
  collect()
  const { used_heap_size: used, total_physical_size: reserved } = getHeapStatistics()
  writeFileSync(join(directory ?? '', thread), JSON.stringify({ used, reserved }))
}

if (directory !== undefined) setInterval(report, EVERY_MS).unref()
