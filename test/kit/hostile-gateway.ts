/** Hostile requests: they are raw bytes, answers are checked against the contract, and rows are counted. */
import assert from 'node:assert/strict'
import type { Config } from '#contracts/config.ts'
import { CONFIG_DEFAULTS } from '#contracts/config.ts'
import { dataDirectory } from '#storage/data-directory.ts'
import { openReadOnly } from '#storage/database.ts'
import { checkAnswer, type Refusal } from '#test/kit/check-answer.ts'
import { type SharedGateway, startGateway, type TestAccount, type TestGateway } from '#test/kit/gateway.ts'
import { type RawAnswer, RawConnection, type RequestParts, rawRequest } from '#test/kit/raw-http.ts'

export interface HostileGateway {
  readonly gateway: SharedGateway
  /** Of the account that the requests use. */
  readonly owner: TestAccount
  /** Sends one request on its own connection and checks the answer. Fails if no answer comes. */
  ask(parts: RequestParts): Promise<CheckedAnswer>
  /** Counts the rows of the account in every table that a request could write to, and all accounts. */
  rows(): Record<string, number>
  open(): Promise<RawConnection>
}

/** One that the test started. */
export interface OwnHostileGateway extends HostileGateway {
  readonly gateway: TestGateway
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

/** How to find the rows of an account, `?1`, by the table. */
const ROWS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ['message', 'device', 'pairing', 'api_key', 'usage_quarter', 'received'].map(table => [
      table,
      'account_id = ?1',
    ]),
  ),
  idempotency: "scope IN (?1, ?1 || ' test')",
  account: '?1 IS NOT NULL',
}

/** Starts a gateway without rate limits, unless a test sets them, and with one listener. */
export async function startHostile(overrides: Partial<Config['http']> = {}): Promise<OwnHostileGateway> {
  const pro = { ...CONFIG_DEFAULTS.plans['pro'], api_calls_per_minute: -1 } as Config['plans'][string]
  const gateway = await startGateway({
    config: { http: { anonymous_calls_per_minute: 60_000, ...overrides }, plans: { pro } },
  })
  return { ...hostileTo(gateway, await gateway.owner()), gateway }
}

/** Hostile requests of this account. */
export function hostileTo(gateway: SharedGateway, owner: TestAccount): HostileGateway {
  return {
    gateway,
    owner,
    open: () => RawConnection.open(gateway.url),
    rows: () => countRows(gateway.dataDir, owner.accountId),
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

function countRows(dataDir: string, accountId: string): Record<string, number> {
  const database = openReadOnly(dataDirectory(dataDir).database)
  try {
    return Object.fromEntries(
      Object.entries(ROWS).map(([table, where]) => {
        const count = database.prepare(`SELECT count(*) AS n FROM ${table} WHERE ${where}`)
        return [table, Number(count.get(accountId)?.['n'])]
      }),
    )
  } finally {
    database.close()
  }
}
