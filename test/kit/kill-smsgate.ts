/**
 * Kills the gateway and a phone with SMSGate's local server, with kill -9 at every step of a text, many
 * times on the same data. The phone's own files record the texts that it accepted and the texts that it
 * transmitted.
 */

import { findRepeated } from '#test/kit/find-repeated.ts'
import { type Cleaner, GatewayProcess } from '#test/kit/gateway-process.ts'
import { messagesAtEnd } from '#test/kit/load-clients.ts'
import { Random } from '#test/kit/random.ts'
import { SmsgateProcess } from '#test/kit/smsgate-process.ts'

export interface KillSmsgateSettings {
  readonly rounds: number
  readonly seed: number
  /** Called after each round; returns whether to run another one. */
  readonly progress?: (round: number) => boolean
}

export interface KillSmsgateRecords {
  /** Ids of texts that the gateway accepted. */
  readonly accepted: readonly string[]
  readonly messages: Awaited<ReturnType<GatewayProcess['messages']>>
  /** Ids that the phone accepted, in order, repetitions included. */
  readonly taken: readonly string[]
  /** Ids that were transmitted, in order, repetitions included. */
  readonly transmitted: readonly string[]
  readonly kills: Readonly<Record<string, number>>
}

const STEPS = ['asked', 'taken', 'transmitted', 'processed', 'sent'] as const
const VICTIMS = ['gateway', 'phone', 'both'] as const
const PASSWORD = 'pa55w0rd'

const ENV = {
  ROOST_DEVICES__ALLOWED_HOSTS: '["127.0.0.1"]',
  ROOST_DEVICES__SEGMENTS_PER_MINUTE: '6000',
  ROOST_DEVICES__SEGMENTS_BURST: '100',
}

export async function killSmsgate(t: Cleaner, settings: KillSmsgateSettings): Promise<KillSmsgateRecords> {
  const { rounds, seed, progress = () => true } = settings
  const dice = new Random(seed)
  const gateway = await GatewayProcess.start(t, { env: ENV })
  const phone = new SmsgateProcess(gateway.folder, dice)
  t.after(() => phone.kill())
  await phone.start(null, false)
  const url = `http://127.0.0.1:${phone.port}`
  const added = await gateway.asOwner('POST', '/devices', { kind: 'smsgate', url, password: PASSWORD })
  if (added.status !== 200) throw new Error(`the phone was not added: ${JSON.stringify(added.error)}`)
  // After a kill the gateway asks the phone whether it knows the interrupted text. It believes a "no" only
  // from a phone that still knows an earlier text. This is the earlier text.
  const first = await gateway.send('before the rounds', { queueIfOffline: true })
  await gateway.reached(first, 'delivered')
  const accepted = [first]
  const kills: Record<string, number> = {}
  for (let round = 1; round <= rounds; round++) {
    const victim = VICTIMS[dice.below(VICTIMS.length)] ?? 'both'
    const step = STEPS[dice.below(STEPS.length)] ?? 'asked'
    const killKind = `${victim}, ${step}`
    kills[killKind] = (kills[killKind] ?? 0) + 1
    await phone.kill()
    await phone.start(victim === 'gateway' ? null : { step, times: 1 }, true)
    for (let left = 1 + dice.below(3); left > 0; left--)
      accepted.push(await gateway.send(`round ${round}, ${left} to go`, { queueIfOffline: true }))
    await phone.reached(step)
    if (victim !== 'phone') {
      await gateway.kill()
      await gateway.restart()
    }
    if (!progress(round)) break
  }
  await phone.kill()
  await phone.start(null, false)
  const messages = await messagesAtEnd(gateway)
  return { accepted, messages, kills, ...phone.records() }
}

/** All faults that the records show. A failed text that was never transmitted is not a fault. */
export function findSmsgateFaults({ accepted, messages, taken, transmitted }: KillSmsgateRecords): string[] {
  const known = new Map(messages.map(message => [message.messageId, message]))
  const transmittedIds = new Map<string, Set<string>>()
  for (const id of transmitted) {
    const messageId = messageIdIn(id)
    transmittedIds.set(messageId, (transmittedIds.get(messageId) ?? new Set()).add(id))
  }
  const ends = new Set(['sent', 'delivered'])
  return [
    ...accepted.filter(id => !known.has(id)).map(id => `lost: ${id}`),
    ...findRepeated(taken).map(id => `taken twice: ${id}`),
    ...[...transmittedIds]
      .filter(([, ids]) => ids.size > 1)
      .map(([id, ids]) => `sent twice: ${id}, ${[...ids]}`),
    ...messages
      .filter(message => !ends.has(message.status) && !failedUnsent(message, transmittedIds))
      .map(({ messageId, status, failure }) => `${messageId} ended ${status} ${failure?.code}`),
    ...messages
      .filter(({ messageId, status }) => ends.has(status) && !transmittedIds.has(messageId))
      .map(({ messageId, status }) => `${status}, but never transmitted: ${messageId}`),
  ]
}

/** Whether a text failed unsent: a phone that is killed again and again can use up every attempt. */
function failedUnsent(
  { messageId, status, failure }: KillSmsgateRecords['messages'][number],
  transmittedIds: ReadonlyMap<string, unknown>,
): boolean {
  return status === 'failed' && failure?.code !== 'OUTCOME_UNKNOWN' && !transmittedIds.has(messageId)
}

/** How many texts ended in each state, with the code of those that failed. */
export function countEnds({ messages }: KillSmsgateRecords): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const { status, failure } of messages) {
    const end = failure === null ? status : `${status} ${failure.code}`
    counts[end] = (counts[end] ?? 0) + 1
  }
  return counts
}

/** Texts that the app sent again by itself, because it died before it stored the transmission. */
export function repeatedByApp({ transmitted }: KillSmsgateRecords): number {
  return findRepeated(transmitted).length
}

const messageIdIn = (id: string) => id.split('.')[0] ?? id
