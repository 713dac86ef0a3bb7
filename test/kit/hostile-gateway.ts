/**
 * A gateway for hostile requests. Requests are raw bytes, answers are checked against the contract, and rows
 * are counted.
 */
import assert from 'node:assert/strict'
import type { Config } from '#contracts/config.ts'
import { CONFIG_DEFAULTS } from '#contracts/config.ts'
import { dataDirectory } from '#storage/data-directory.ts'
import { openReadOnly } from '#storage/database.ts'
import { checkAnswer, type Refusal } from '#test/kit/check-answer.ts'
import { startGateway, type TestAccount, type TestGateway } from '#test/kit/gateway.ts'
import { type RawAnswer, RawConnection, type RequestParts, rawRequest } from '#test/kit/raw-http.ts'

export interface HostileGateway {
  readonly gateway: TestGateway
  readonly owner: TestAccount
  /** Sends one request on its own connection and checks the answer. Fails if no answer comes. */
  ask(parts: RequestParts): Promise<CheckedAnswer>
  /** Counts the rows of every table that a request could write to. */
  rows(): Record<string, number>
  open(): Promise<RawConnection>
}

export interface CheckedAnswer extends RawAnswer {
  /** Undefined for a plain-text answer. */
  readonly json: Record<string, unknown> | undefined
  readonly code: string | undefined
  /** Paths of the issues, sorted, each once. */
  readonly paths: readonly string[]
  /** The path of each fault; a path with two faults appears twice. */
  readonly faults: readonly string[]
  readonly data: Record<string, unknown>
}

const TABLES = [
  'message',
  'device',
  'pairing',
  'account',
  'api_key',
  'usage_quarter',
  'idempotency',
  'received',
]

/** Starts the gateway without rate limits, unless a test sets them. */
export async function startHostile(overrides: Partial<Config['http']> = {}): Promise<HostileGateway> {
  const pro = { ...CONFIG_DEFAULTS.plans['pro'], api_calls_per_minute: -1 } as Config['plans'][string]
  const gateway = await startGateway({
    config: { http: { anonymous_calls_per_minute: 60_000, ...overrides }, plans: { pro } },
  })
  const owner = await gateway.owner()
  return {
    gateway,
    owner,
    open: () => RawConnection.open(gateway.url),
    rows: () => countRows(gateway.dataDir),
    async ask(parts) {
      const connection = await RawConnection.open(gateway.url)
      try {
        connection.write(rawRequest(parts))
        const method = parts.method ?? 'GET'
        const answer = await connection.next({ bodiless: method === 'HEAD' })
        assert.ok(answer !== null, `no answer to ${method} ${parts.path}`)
        return checkRawAnswer(method, parts.path, answer)
      } finally {
        connection.close()
      }
    },
  }
}

/** Checks an answer against the contract. */
export function checkRawAnswer(method: string, path: string, answer: RawAnswer): CheckedAnswer {
  const json = checkAnswer(method, path, {
    status: answer.status,
    header: name => answer.headers[name.toLowerCase()]?.join(', ') ?? null,
    body: answer.body,
  })
  const isJson = typeof json === 'object' && json !== null
  const refusal = isJson && 'error' in json ? (json as Refusal) : undefined
  const faults = (refusal?.error.details?.issues?.map(({ path }) => path) ?? []).sort()
  return {
    ...answer,
    json: isJson ? (json as Record<string, unknown>) : undefined,
    code: refusal?.error.code,
    paths: [...new Set(faults)],
    faults,
    data: (isJson && 'data' in json ? json.data : {}) as Record<string, unknown>,
  }
}

function countRows(dataDir: string): Record<string, number> {
  const database = openReadOnly(dataDirectory(dataDir).database)
  try {
    const tables = database
      .prepare("SELECT name FROM sqlite_schema WHERE type = 'table'")
      .all()
      .map(row => String(row['name']))
    return Object.fromEntries(
      tables
        .filter(name => TABLES.includes(name))
        .map(name => [name, Number(database.prepare(`SELECT count(*) AS n FROM ${name}`).get()?.['n'])]),
    )
  } finally {
    database.close()
  }
}
