/** Recorded requests of real clients, with credentials of the gateway under test in place of theirs. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SharedGateway, TestAnswer } from '#test/kit/gateway.ts'

export interface RecordedRequest {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

interface Recording {
  readonly id: string
  readonly client: string
  readonly requests: readonly RecordedRequest[]
}

/** The placeholders for credentials in the recordings. */
const STAND_INS = /APPTOKEN|API_KEY|APIKEY|\bTOKEN\b|\bTOPIC\b|\bKEY\b/g

const FILE = join(import.meta.dirname, 'recordings', 'clients.json')
const RECORDINGS = JSON.parse(readFileSync(FILE, 'utf8')) as readonly Recording[]

/** The requests of a recording with this credential in every place that holds one. */
export function recorded(id: string, credential: string): readonly RecordedRequest[] {
  const found = RECORDINGS.find(recording => recording.id === id)
  if (found === undefined) throw new Error(`there is no recording ${id}`)
  const fill = (text: string) => text.replace(STAND_INS, credential)
  // ntfy sends its tokens (`tk_…`) in `Basic` as well; there only the token itself is replaced.
  const isUserAndPassword = (value: string) => /^Basic \S+=*$/.test(value) && !value.includes('tk_')
  return found.requests.map(({ method, path, headers, body }) => ({
    method,
    // A path before ours is part of the base URL that a user configures.
    path: fill(path.replace(/^\/base\//, '/')).replace('password=pass&', `password=${credential}&`),
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [
        name,
        isUserAndPassword(value) ? basic(credential) : fill(value),
      ]),
    ),
    body: fill(body),
  }))
}

export function basic(password: string): string {
  return `Basic ${Buffer.from(`user:${password}`).toString('base64')}`
}

export function replay(gateway: SharedGateway, request: RecordedRequest): Promise<TestAnswer> {
  const { method, path, headers, body } = request
  return gateway.call(method, path, { headers, ...(method !== 'GET' && { body }) })
}
