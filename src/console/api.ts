/** Calls the gateway's API at addresses relative to the page, with this page's half of the session. */
import { signal } from '@preact/signals'
import type { Issue } from '#contracts/problem.ts'

/** Set when a call was refused because the login has ended. */
export const isLoggedOut = signal(false)

const KEY = `roost half ${new URL('.', document.baseURI).pathname}`
/** The half of the session that scripts can read. The other half is a cookie (ARCHITECTURE.md, Decisions). */
let half = readStorage(KEY)

export class ApiError extends Error {
  /** 0: the gateway did not answer. */
  readonly status: number
  readonly code: string
  readonly issues: readonly Issue[]
  readonly retryAfterS: number | null

  constructor(
    status: number,
    error: { code: string; message: string; issues?: readonly Issue[] },
    retryAfter = '',
  ) {
    super(error.message)
    this.status = status
    this.code = error.code
    this.issues = error.issues ?? []
    this.retryAfterS = retryAfter === '' ? null : Number(retryAfter)
  }

  /** The message about the field at this path, if the refusal has one. */
  issueOf(path: string): string | undefined {
    const found = this.issues.find(one => one.path === path || one.path.startsWith(`${path}.`))
    return found === undefined
      ? undefined
      : `${found.message.charAt(0).toUpperCase()}${found.message.slice(1)}`
  }
}

export interface Page<T> {
  readonly data: T
  readonly nextCursor: string | null
}

/** @throws ApiError for a refusal, and when the gateway does not answer */
export async function callPage<T>(method: string, path: string, json?: unknown): Promise<Page<T>> {
  const response = await fetch(apiUrl(path), {
    method,
    headers: {
      ...(half !== null && { 'X-Roost-Console': half }),
      ...(json !== undefined && { 'Content-Type': 'application/json' }),
    },
    ...(json !== undefined && { body: JSON.stringify(json) }),
  }).catch(() => {
    throw new ApiError(0, { code: 'AWAY', message: 'The gateway does not answer.' })
  })
  const body = await response.json().catch(() => null)
  if (response.ok && body?.success === true)
    return { data: body.data as T, nextCursor: body.page?.nextCursor ?? null }
  const error = body?.error ?? { code: 'UNKNOWN', message: `The answer was HTTP ${response.status}.` }
  if (response.status === 401 && half !== null && path !== 'session') isLoggedOut.value = true
  throw new ApiError(
    response.status,
    { code: error.code, message: asSentence(error.message), issues: error.details?.issues },
    response.headers.get('Retry-After') ?? '',
  )
}

export async function call<T>(method: string, path: string, json?: unknown): Promise<T> {
  return (await callPage<T>(method, path, json)).data
}

/** The absolute URL of a path of the gateway, as this browser reaches it. */
export function urlOf(path: string): string {
  return new URL(path.replace(/^\//, ''), document.baseURI).href
}

export function apiUrl(path: string): string {
  return urlOf(path.startsWith('/') ? path : `api/v1/${path}`)
}

/** Stores this page's half of the session; null removes it. */
export function keepHalf(value: string | null): void {
  half = value
  if (value === null) removeStorage(KEY)
  else writeStorage(KEY, value)
}

export function sessionHalf(): string | null {
  return half
}

export function errorOf(error: unknown): ApiError {
  if (error instanceof ApiError) return error
  return new ApiError(0, { code: 'UNKNOWN', message: error instanceof Error ? error.message : String(error) })
}

/**
 * Reads from the browser's storage. A browser may forbid storage; then values last only as long as the
 * page.
 */
export function readStorage(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

export function writeStorage(key: string, value: string): void {
  try {
    localStorage.setItem(key, value)
  } catch {
    // The browser forbids storage.
  }
}

function removeStorage(key: string): void {
  try {
    localStorage.removeItem(key)
  } catch {
    // The browser forbids storage.
  }
}

function asSentence(text: string): string {
  const capital = `${text.charAt(0).toUpperCase()}${text.slice(1)}`
  return /[.!?]$/.test(capital) ? capital : `${capital}.`
}
