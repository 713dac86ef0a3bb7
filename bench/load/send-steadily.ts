/** Calls at a fixed pace: a slow answer counts in the result and does not delay the next call. */
import { setTimeout as pause } from 'node:timers/promises'
import { Pool } from 'undici'

export interface SteadyLoad {
  /** The base URL of the gateway. */
  readonly url: string
  readonly perSecond: number
  readonly seconds: number
  /** Key and body of the n-th call. */
  readonly call: (turn: number) => { readonly key: string; readonly body: object }
}

/** Posts messages; returns how long each answer took, ascending, in ms. */
export async function sendSteadily({ url, perSecond, seconds, call }: SteadyLoad): Promise<number[]> {
  const pool = new Pool(url, { connections: 64 })
  const tookMs: number[] = []
  const inFlight: Promise<void>[] = []
  const post = async (turn: number) => {
    const { key, body } = call(turn)
    const startedAt = performance.now()
    const answer = await pool.request({
      path: '/api/v1/sms/send',
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': key },
      body: JSON.stringify(body),
    })
    const text = await answer.body.text()
    if (answer.statusCode !== 200) throw new Error(`send was answered ${answer.statusCode}: ${text}`)
    tookMs.push(performance.now() - startedAt)
  }
  const beganAt = performance.now()
  for (let turn = 0; turn < perSecond * seconds; turn += 1) {
    const inMs = beganAt + (turn * 1000) / perSecond - performance.now()
    if (inMs > 1) await pause(inMs)
    inFlight.push(post(turn))
  }
  await Promise.all(inFlight)
  await pool.close()
  return tookMs.sort((a, b) => a - b)
}
