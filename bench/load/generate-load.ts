/** Puts a load on one endpoint, with wrk if it is installed, else with the npm package autocannon. */
import { execFile, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import autocannon from 'autocannon'

export interface Load {
  readonly url: string
  /** POST when left out; GET has no body. */
  readonly method?: 'GET'
  readonly connections: number
  readonly seconds: number
  readonly body: string
  /** API keys, used in turn, because the limiter allows each account 60,000 calls at once. */
  readonly keys: readonly string[]
}

export interface LoadResult {
  /** Requests that were answered, with any status. */
  readonly requests: number
  readonly requestsPerSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  /** Answers that were not 2xx, and connections that failed. */
  readonly bad: number
}

export const GENERATOR = spawnSync('wrk', ['--version']).error === undefined ? 'wrk' : 'autocannon'

export function generateLoad(load: Load): Promise<LoadResult> {
  return GENERATOR === 'wrk' ? byWrk(load) : byAutocannon(load)
}

async function byWrk(load: Load): Promise<LoadResult> {
  const folder = mkdtempSync(join(tmpdir(), 'roost-wrk-'))
  const script = join(folder, 'post.lua')
  const keys = load.keys.map(key => JSON.stringify(key)).join(', ')
  const isGet = load.method === 'GET'
  const format = isGet ? 'wrk.format("GET")' : `wrk.format("POST", nil, headers, [[${load.body}]])`
  writeFileSync(
    script,
    `local keys = {${keys}}
local requests = {}
local turn = 0
init = function()
  for i, key in ipairs(keys) do
    local headers = { ["Content-Type"] = "application/json", ["X-API-Key"] = key }
    requests[i] = ${format}
  end
end
request = function()
  turn = turn % #requests + 1
  return requests[turn]
end
done = function(summary, latency)
  local errors = summary.errors
  local bad = errors.status + errors.connect + errors.read + errors.write + errors.timeout
  io.write(string.format("RESULT %d %f %f %f %d\\n", summary.requests,
    summary.requests / (summary.duration / 1e6),
    latency:percentile(50) / 1e3, latency:percentile(99) / 1e3, bad))
end
`,
  )
  const args = ['-t1', `-c${load.connections}`, `-d${load.seconds}s`, '-s', script, load.url]
  const { stdout } = await promisify(execFile)('wrk', args).finally(() => rmSync(folder, { recursive: true }))
  const figures = /RESULT (\S+) (\S+) (\S+) (\S+) (\S+)/.exec(stdout)?.slice(1).map(Number) ?? []
  const [requests = 0, requestsPerSecond = 0, p50Ms = 0, p99Ms = 0, bad = 0] = figures
  return { requests, requestsPerSecond, p50Ms, p99Ms, bad }
}

async function byAutocannon(load: Load): Promise<LoadResult> {
  const result = await autocannon({
    url: load.url,
    connections: load.connections,
    duration: load.seconds,
    requests: load.keys.map(key => ({
      method: load.method ?? 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': key },
      ...(load.method === undefined && { body: load.body }),
    })),
  })
  return {
    requests: result.requests.total,
    requestsPerSecond: result.requests.average,
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
    bad: result.non2xx + result.errors,
  }
}
