/**
 * A gateway in its own process, with the configuration of the environment. A line `listener` or `writer` on
 * its standard input makes that thread fail.
 */

import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { BroadcastChannel } from 'node:worker_threads'
import { loadConfig } from '#app/config/config-file.ts'
import { createLog } from '#app/log.ts'
import { runGateway } from '#app/threads/gateway.ts'

const { config } = loadConfig({ options: {}, env: process.env, cwd: process.cwd() })
const death = new BroadcastChannel('death')
createInterface({ input: process.stdin }).on('line', line => death.postMessage(line))
const stop = new AbortController()
process.once('SIGTERM', () => stop.abort())
const entry = (name: string) => join(import.meta.dirname, `${name}.js`)
void runGateway({
  config,
  log: createLog({ level: 'info', format: 'json', stream: process.stderr }),
  stop: stop.signal,
  say: () => undefined,
  entries: { listener: entry('mortal-listener'), writer: entry('mortal-writer') },
}).then(code => process.exit(code))
