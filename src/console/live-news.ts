/** Receives the gateway's news, and knows whether the gateway answers. */
import { signal } from '@preact/signals'
import { isLoggedOut, sessionHalf, urlOf } from '#console/api.ts'
import { backOffMs } from '#console/back-off.ts'
import type { News } from '#contracts/live.ts'

/** Since when the gateway does not answer. Null: it answers, or this is not known yet. */
export const awaySince = signal<number | null>(null)
/**
 * Why the page fetches its content every ten seconds: something between it and the gateway blocks WebSockets,
 * or the gateway refuses this page's. Null: it does not.
 */
export const pollsBecause = signal<'blocked' | 'refused' | null>(null)

/** A lost connection is shown only after this time, because most reconnect sooner. */
const QUIET_MS = 2_000
const POLL_MS = 10_000
/** After this many refused WebSockets the page polls instead. */
const REFUSALS_MAX = 3
const LIVE = 'roost.live.v1'
/** The gateway chooses this subprotocol to refuse the page, which cannot see a refusal by HTTP. */
const REFUSAL = 'roost.live.refusal'
/** The gateway closes the socket with this code when the session has ended. */
const CLOSE_LOGGED_OUT = 4401
/** The least time between two fetches of the same content, in milliseconds. */
const REFETCH_MS = 2_000

type Listener = (news: News) => void
const listeners = new Set<Listener>()
const RESYNC: News = { type: 'resync', id: null }

let socket: WebSocket | null = null
let tries = 0
let wasOpen = false
let timer: ReturnType<typeof setTimeout> | undefined
let poll: ReturnType<typeof setInterval> | undefined
let catchUp: ReturnType<typeof setTimeout> | undefined
let lostAt: number | null = null

/**
 * Calls `callback` for news of these types, and when anything may have changed. Returns a function that ends
 * the calls.
 */
export function onNews(types: readonly News['type'][], callback: (news: News) => void): () => void {
  const listener: Listener = news => {
    if (news.type === 'resync' || types.includes(news.type)) callback(news)
  }
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Like `onNews`, but calls at most once in two seconds. The call for the last news is never lost. */
export function onNewsPaced(types: readonly News['type'][], callback: () => void): () => void {
  let last = 0
  let waiting: ReturnType<typeof setTimeout> | undefined
  const stop = onNews(types, () => {
    clearTimeout(waiting)
    const inMs = Math.max(0, last + REFETCH_MS - Date.now())
    waiting = setTimeout(() => {
      last = Date.now()
      callback()
    }, inMs)
  })
  return () => {
    clearTimeout(waiting)
    stop()
  }
}

/** Starts to listen for news. Call it after the login. */
export function startLive(): void {
  stopLive()
  tries = 0
  open()
}

export function stopLive(): void {
  clearTimeout(timer)
  clearTimeout(catchUp)
  clearInterval(poll)
  pollsBecause.value = null
  lostAt = null
  awaySince.value = null
  const old = socket
  socket = null
  old?.close()
}

/** Tries to connect at once, for a person who does not want to wait. */
export function tryNow(): void {
  if (sessionHalf() === null || isLoggedOut.value || document.hidden) return
  if (socket !== null && socket.readyState <= WebSocket.OPEN) return
  clearTimeout(timer)
  open()
}

/** How many news have come. */
export let newsHeard = 0

/** Passes news to all listeners. `RESYNC` makes them fetch everything again. */
function tellAll(news: News): void {
  newsHeard++
  for (const listener of [...listeners]) listener(news)
}

function open(): void {
  const half = sessionHalf()
  if (half === null || document.hidden) return
  const url = urlOf('api/v1/live').replace(/^http/, 'ws')
  const mine = new WebSocket(url, [LIVE, REFUSAL])
  socket = mine
  let opened = false
  mine.onopen = () => {
    // The gateway refuses this page, and closes the socket now.
    if (mine.protocol === REFUSAL) return
    opened = true
    mine.send(JSON.stringify({ half }))
    const mayHaveMissed = lostAt !== null || wasOpen
    wasOpen = true
    tries = 0
    lostAt = null
    awaySince.value = null
    pollsBecause.value = null
    clearInterval(poll)
    // The page may have fetched its content before the socket was open. It missed the news in between, so it
    // fetches once more.
    clearTimeout(catchUp)
    if (mayHaveMissed) tellAll(RESYNC)
    else catchUp = setTimeout(() => tellAll(RESYNC), REFETCH_MS)
  }
  mine.onmessage = event => {
    for (const news of JSON.parse(String(event.data)).news as readonly News[]) tellAll(news)
  }
  mine.onclose = event => {
    if (socket !== mine) return
    socket = null
    if (event.code === CLOSE_LOGGED_OUT) {
      isLoggedOut.value = true
      return
    }
    void onLost(opened, mine.protocol === REFUSAL)
  }
}

async function onLost(opened: boolean, isRefused: boolean): Promise<void> {
  if (document.hidden) return
  lostAt ??= Date.now()
  const since = lostAt
  setTimeout(() => {
    if (lostAt === since && pollsBecause.value === null && socket?.readyState !== WebSocket.OPEN)
      awaySince.value = since
  }, QUIET_MS)
  timer = setTimeout(open, backOffMs(tries, Math.random()))
  tries += 1
  if (isRefused) startPolling('refused')
  // If sockets are refused although the gateway answers HTTP, a proxy blocks WebSockets.
  else if (!opened && tries >= REFUSALS_MAX && (await gatewayAnswers())) startPolling('blocked')
}

function startPolling(because: 'blocked' | 'refused'): void {
  if (pollsBecause.value === because) return
  pollsBecause.value = because
  awaySince.value = null
  clearInterval(poll)
  poll = setInterval(() => {
    if (!document.hidden) tellAll(RESYNC)
  }, POLL_MS)
}

async function gatewayAnswers(): Promise<boolean> {
  const response = await fetch(urlOf('healthz')).catch(() => null)
  return response?.ok === true
}

document.addEventListener('visibilitychange', () => {
  if (!document.hidden) return tryNow()
  // A hidden page closes its socket to save resources. When it is shown again, it fetches everything.
  clearTimeout(timer)
  const old = socket
  socket = null
  old?.close()
})
addEventListener('online', tryNow)
