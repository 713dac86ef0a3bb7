/** Calls the gateway's API at addresses relative to the page, with this page's half of the session. */
import { signal } from '@preact/signals'
import { readStorage, removeStorage, writeStorage } from '#console/browser-storage.ts'
import { fieldWords } from '#console/field-words.ts'
import { language, t, translated } from '#console/language.ts'
import type { Issue } from '#contracts/problem.ts'

/** Set when a call was refused because the login has ended. */
export const isLoggedOut = signal(false)

const KEY = `roost half ${new URL('.', document.baseURI).pathname}`
/** The half of the session that scripts can read. The other half is a cookie (`transport/http/README.md`). */
let half = readStorage(KEY)

/** The login form says that the session has ended. So the page needs words only once it is closed. */
const LOGGED_OUT = {
  code: 'LOGGED_OUT',
  message: t('You were logged out, so this was not done. Press again.'),
}

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
    if (found === undefined) return undefined
    const message = translated(found.message)
    return `${message.charAt(0).toUpperCase()}${message.slice(1)}`
  }
}

export interface ListPage<T> {
  readonly data: T
  readonly nextCursor: string | null
}

/** The gateway answers within 15 s. Without this limit a lost answer would disable a button for good. */
const ANSWER_MS_MAX = 30_000

interface Sent {
  readonly json?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** Ends what the session reads. */
let reading = new AbortController()

/** Ends the session. Pages read nothing more, because the answers would be refusals. */
export async function endSession(): Promise<void> {
  reading.abort()
  await call('DELETE', 'session').catch(() => {
    // The session has ended already, or the gateway does not answer. This page drops its half in any case.
  })
  reading = new AbortController()
}

/** @throws ApiError for a refusal, and when the gateway does not answer */
export async function callPage<T>(method: string, path: string, sent: Sent = {}): Promise<ListPage<T>> {
  const { json, headers } = sent
  const ended = method === 'GET' ? reading.signal : null
  if (ended?.aborted) return new Promise(() => {})
  const asked = half
  const late = AbortSignal.timeout(ANSWER_MS_MAX)
  const response = await fetch(apiUrl(path), {
    method,
    headers: {
      ...(half !== null && { 'X-Roost-Console': half }),
      ...(json !== undefined && { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(json !== undefined && { body: JSON.stringify(json) }),
    signal: ended === null ? late : AbortSignal.any([late, ended]),
  }).catch(() => {
    if (ended?.aborted) return new Promise<Response>(() => {})
    throw new ApiError(0, { code: 'AWAY', message: t('The gateway does not answer.') })
  })
  const body = await response.json().catch(() => null)
  if (ended?.aborted) return new Promise(() => {})
  if (response.ok && body?.success === true)
    return { data: body.data as T, nextCursor: body.page?.nextCursor ?? null }
  const message = response.ok
    ? t('The answer was cut off.')
    : t('The answer was HTTP {status}.', { status: response.status })
  const error = body?.error ?? { code: 'UNKNOWN', message }
  if (response.status === 401 && asked !== null && path !== 'session') {
    // A late answer to a call of the session before says nothing about this one.
    if (asked === half) isLoggedOut.value = true
    throw new ApiError(401, LOGGED_OUT)
  }
  throw new ApiError(
    response.status,
    { code: error.code, message: asSentence(refusalWords(error)), issues: error.details?.issues },
    response.headers.get('Retry-After') ?? '',
  )
}

/** Saves what the gateway answers as a file. @throws ApiError */
export async function download(path: string, name: string): Promise<void> {
  const headers = half === null ? {} : { 'X-Roost-Console': half }
  const response = await fetch(apiUrl(path), { headers }).catch(() => null)
  const content = response?.ok === true ? await response.blob().catch(() => null) : null
  if (content === null) throw new ApiError(0, { code: 'AWAY', message: t('The file could not be fetched.') })
  const link = document.createElement('a')
  link.href = URL.createObjectURL(content)
  link.download = name
  link.click()
  // The browser reads the content before it runs this.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}

export async function call<T>(method: string, path: string, json?: unknown): Promise<T> {
  return (await callPage<T>(method, path, { json })).data
}

/** Runs a call that sends texts. Where a failure leaves open whether they were sent, it says what to do. */
export async function sending<T>(work: Promise<T>, advice: string): Promise<T> {
  try {
    return await work
  } catch (thrown) {
    const error = errorOf(thrown)
    const { code, status, retryAfterS } = error
    const isUnknown = code === 'AWAY' || code === 'UNKNOWN' || code === 'INTERNAL_ERROR'
    // The gateway also answers with this code if it takes too long. Then it may have taken the text.
    if (!isUnknown && code !== 'SERVICE_UNAVAILABLE') throw error
    const doubt = isUnknown ? [t('It is not known whether the gateway took it.')] : []
    const message = [error.message, ...doubt, advice].join(' ')
    throw new ApiError(status, { code, message }, String(retryAfterS ?? ''))
  }
}

/** The absolute URL of a path of the gateway, as this browser reaches it. */
export function urlOf(path: string): string {
  return new URL(path.replace(/^\//, ''), document.baseURI).href
}

/** Other machines do not reach this host. */
export function isLocalHost(hostname: string): boolean {
  return /^(localhost|127\.|\[::1\])/.test(hostname)
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

/** What a refusal says in other languages if its own sentence is not known there. */
const BY_CODE: Readonly<Record<string, string>> = {
  NOT_FOUND: t('It does not exist, or no longer.'),
  RATE_LIMIT_EXCEEDED: t('A limit is reached. Try again later.'),
  SERVICE_UNAVAILABLE: t('The gateway cannot do this now. Try again soon.'),
  INTERNAL_ERROR: t('Something went wrong in the gateway.'),
}

interface Refusal {
  readonly code: string
  readonly message: string
  readonly details?: { readonly issues?: readonly Issue[] }
}

function refusalWords({ code, message, details }: Refusal): string {
  const [first] = details?.issues ?? []
  if (first !== undefined)
    return [fieldWords(first.path), translated(first.message)].filter(Boolean).join(': ')
  const known = translated(message)
  return known === message && language.tag !== 'en' ? (BY_CODE[code] ?? message) : known
}

function asSentence(text: string): string {
  const capital = `${text.charAt(0).toUpperCase()}${text.slice(1)}`
  return /[.!?]$/.test(capital) ? capital : `${capital}.`
}
