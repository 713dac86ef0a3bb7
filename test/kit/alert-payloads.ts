import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AlertFormat, AlertSeverity, AlertState, TriggerRequest } from '#contracts/webhook.ts'

/**
 * A body as a sender posts it, and the text that a person should read. The files in `payloads/` hold one such
 * JSON object a line.
 */
export interface AlertCase {
  readonly name: string
  readonly method?: 'GET' | 'POST'
  readonly query?: string
  readonly contentType?: string
  readonly headers?: Readonly<Record<string, string>>
  /** The body: a string is sent as it is, any other value as JSON. */
  readonly body?: unknown
  /** The text that a person wants for this body. */
  readonly ideal: string
  /** The text that Roost makes, as it was read last (`alert-texts.jsonl`). */
  readonly text: string
  readonly format: AlertFormat
  /** Compared only if they are given. */
  readonly severity?: AlertSeverity | null
  readonly state?: AlertState | null
}

const FOLDER = join(import.meta.dirname, 'payloads')
const TEXTS = join(import.meta.dirname, 'alert-texts.jsonl')

/** The cases of every file, by the name of the file. In a file `text` is what a person wants. */
export function readAlertCases(): ReadonlyMap<string, readonly AlertCase[]> {
  const rows = linesOf(TEXTS).map(
    line => JSON.parse(line) as readonly [file: string, name: string, text: string],
  )
  const texts = Map.groupBy(rows, ([file]) => file)
  const files = readdirSync(FOLDER).filter(file => file.endsWith('.jsonl'))
  return new Map(
    files.map(path => {
      const file = path.replace('.jsonl', '')
      const known = texts.get(file) ?? []
      const cases = linesOf(join(FOLDER, path)).map((line, at) => {
        const one = JSON.parse(line) as AlertCase
        const [, , text] =
          (known[at]?.[1] === one.name ? known[at] : known.find(([, name]) => name === one.name)) ?? []
        return { ...one, ideal: one.ideal ?? one.text, text: text ?? one.text }
      })
      return [file, cases]
    }),
  )
}

function linesOf(path: string): readonly string[] {
  return readFileSync(path, 'utf8').trimEnd().split('\n')
}

/** A request to a webhook. Fields that are not given have the simplest value. */
export function triggerRequest(
  parts: Partial<Omit<TriggerRequest, 'body'>> & { body?: unknown },
): TriggerRequest {
  return {
    method: parts.method ?? 'POST',
    query: parts.query ?? '',
    contentType: parts.contentType ?? null,
    headers: parts.headers ?? {},
    body: bytesOf(parts.body),
  }
}

/** Bytes and text as they are, nothing for `undefined`, any other value as JSON. */
function bytesOf(body: unknown): Uint8Array {
  if (body instanceof Uint8Array) return body
  if (body === undefined) return new Uint8Array()
  return new TextEncoder().encode(typeof body === 'string' ? body : JSON.stringify(body))
}

/** A case as its sender posts it. */
export function requestOf(one: AlertCase) {
  return triggerRequest(one)
}
