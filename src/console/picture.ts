/** What the picture on Home shows: who asks, what waits, who sends, and who reads. */
import { isPretend } from '#console/is-pretend.ts'
import { t } from '#console/language.ts'
import { linkTo } from '#console/route.ts'
import { clockWords } from '#console/time-words.ts'
import type { Unfetched } from '#console/unfetched.ts'
import { canSend, stateWords } from '#console/why-waits.ts'
import { reasonWords } from '#console/words-of-states.ts'
import type { DeviceListItem } from '#contracts/device.ts'
import type { HealthProblem } from '#contracts/health.ts'
import type { IncidentResource } from '#contracts/incident.ts'
import type { MessageResource } from '#contracts/message.ts'
import type { WebhookResource } from '#contracts/webhook.ts'

/** A sender of texts, with the last text that it caused. */
export interface Sender {
  readonly id: string
  readonly name: string
  readonly href: string
  readonly lastText: string | null
  /** ISO 8601; null: never. */
  readonly lastAt: string | null
}

/** The node for all texts that no webhook caused. */
export const SCRIPTS = 'scripts'
const SENDERS_MAX = 4
/** Phones that the sentence on Home names. */
const NAMED_MAX = 3

type Text = Pick<MessageResource, 'webhookId' | 'message' | 'createdAt'>
type Webhook = Pick<WebhookResource, 'id' | 'name' | 'usage'>

/** The senders that were heard last, and how many others there are. `texts`: the last ones, newest first. */
export function sendersOf(
  webhooks: readonly Webhook[],
  texts: readonly Text[],
): { readonly senders: readonly Sender[]; readonly others: number } {
  const heard = webhooks
    .map(({ id, name, usage }): Sender => {
      const lastText = texts.find(({ webhookId }) => webhookId === id)?.message ?? null
      return { id, name, href: linkTo(`webhooks/${id}`), lastText, lastAt: usage.lastTriggeredAt }
    })
    .toSorted((one, other) => (other.lastAt ?? '').localeCompare(one.lastAt ?? ''))
  const own = texts.find(({ webhookId }) => webhookId === null)
  const scripts: Sender = {
    id: SCRIPTS,
    name: t('You and scripts'),
    href: linkTo('texts', { kind: 'sms' }),
    lastText: own?.message ?? null,
    lastAt: own?.createdAt ?? null,
  }
  const shown = heard.slice(0, SENDERS_MAX - 1)
  return { senders: [...shown, scripts], others: heard.length - shown.length }
}

export interface Reach {
  readonly answer: string
  readonly tone: 'good' | 'bad' | 'wait'
  /** Why not; empty: the answer says it all, and the picture shows the phones. */
  readonly sentence: string
}

type Phone = Parameters<typeof stateWords>[0] & Pick<DeviceListItem, 'driver'>
type Ended = Pick<MessageResource, 'status' | 'pretend' | 'failure'>

interface Wrong {
  readonly problems: readonly Pick<HealthProblem, 'code'>[]
  readonly unfetched: Pick<Unfetched, 'since' | 'name'> | null
}

/** Failures that say nothing about the phones that are there now. */
const NO_PHONES_FAULT: readonly string[] = ['CANCELLED', 'EXPIRED', 'DEVICE_REMOVED']

/**
 * Whether texts reach people now. `texts`: the last ones, newest first. `unfetched`: the text that phones do
 * not fetch.
 */
export function reachOf(
  phones: readonly Phone[],
  texts: readonly Ended[],
  { problems, unfetched }: Wrong,
): Reach {
  const no = (sentence: string): Reach => ({ answer: t('No.'), tone: 'bad', sentence })
  const notYet = (sentence: string): Reach => ({ answer: t('Not yet.'), tone: 'wait', sentence })
  if (phones.length === 0)
    return notYet(t('No phone is paired: texts wait until you add one, and alerts are refused.'))
  const connected = phones.filter(({ status }) => status !== 'offline')
  if (connected.length === 0)
    return no(t('No phone is online, so texts wait until a phone is back, or until they expire.'))
  const sending = connected.filter(canSend)
  if (sending.length === 0) return no(t('No phone that is online can send, so texts wait.'))
  const count = sending.filter(phone => !isPretend(phone)).length
  if (count === 0) return notYet(t('Only a pretend phone is online, so nobody receives texts.'))
  if (problems.some(({ code }) => code === 'INCIDENT_UNANSWERED'))
    return no(t('Nobody answered an alert. It waits at On call.'))
  const perhapsNot = (sentence: string): Reach => ({ answer: t('Perhaps not.'), tone: 'bad', sentence })
  if (unfetched !== null)
    return perhapsNot(
      t('No phone has fetched the text that has waited since {time}: open the app on {name}.', {
        time: clockWords(unfetched.since),
        name: unfetched.name,
      }),
    )
  const [failed, ...more] = failuresOf(texts)
  if (failed !== undefined)
    return perhapsNot(
      t('The last text failed: {reason}.|The last {count} texts failed: {reason}.', {
        count: more.length + 1,
        reason: reasonWords(failed.failure?.code ?? ''),
      }),
    )
  // A phone that its owner paused is meant to be silent.
  const wanted = phones.filter(phone => !phone.paused && !isPretend(phone))
  const silent = wanted.filter(phone => !canSend(phone))
  if (silent.length > 0) {
    const only = { count, all: wanted.length }
    return {
      answer: t('Yes, but only 1 of {all} phones sends.|Yes, but only {count} of {all} phones send.', only),
      tone: 'wait',
      sentence: silentWords(silent),
    }
  }
  const sentence = count === 1 ? t('Your phone sends.') : t('{count} phones send.', { count })
  return { answer: t('Yes.'), tone: 'good', sentence }
}

/**
 * `Attic is offline since 14:02.` Several that are offline are not named: the picture and the list of what is
 * wrong do that.
 */
function silentWords(all: readonly Phone[]): string {
  const offline = all.filter(({ status }) => status === 'offline')
  const silent = offline.length > 1 ? all.filter(({ status }) => status !== 'offline') : all
  if (silent.length === 0) return ''
  const names = silent.slice(0, NAMED_MAX).map(stateWords).join(', ')
  const count = silent.length - NAMED_MAX
  return count <= 0
    ? `${names}.`
    : t('{names}, and 1 other does not send.|{names}, and {count} others do not send.', { names, count })
}

/** The last texts that ended, as far as all of them failed. */
function failuresOf(texts: readonly Ended[]): readonly Ended[] {
  const ended = texts.filter(
    ({ status, pretend, failure }) =>
      !pretend &&
      ['sent', 'delivered', 'failed'].includes(status) &&
      !NO_PHONES_FAULT.includes(failure?.code ?? ''),
  )
  const good = ended.findIndex(({ status }) => status !== 'failed')
  return good < 0 ? ended : ended.slice(0, good)
}

type Fate = Pick<MessageResource, 'messageId' | 'status'>

/** Whether all texts about the alert still wait or failed. `texts`: the last ones, which may lack some. */
export function noneHasLeft(
  { timeline }: Pick<IncidentResource, 'timeline'>,
  texts: readonly Fate[],
): boolean {
  const told = timeline.flatMap(({ messageId }) => messageId ?? [])
  const left = (id: string) => {
    const status = texts.find(({ messageId }) => messageId === id)?.status ?? 'unknown'
    return status !== 'queued' && status !== 'failed'
  }
  return told.length > 0 && !told.some(left)
}

/** The last text that arrived, and how long it took. Null: none of these. */
export function lastArrival(texts: readonly MessageResource[]): { at: string; tookMs: number } | null {
  const arrived = texts
    .filter(({ deliveredAt, pretend }) => deliveredAt !== null && !pretend)
    .toSorted((one, other) => (other.deliveredAt ?? '').localeCompare(one.deliveredAt ?? ''))
  const [last] = arrived
  if (last?.deliveredAt == null) return null
  const from = Math.max(Date.parse(last.createdAt), Date.parse(last.sendAt ?? last.createdAt))
  return { at: last.deliveredAt, tookMs: Date.parse(last.deliveredAt) - from }
}

/** The edges of a node, px from the upper left corner of the picture. */
export interface Box {
  readonly left: number
  readonly right: number
  readonly middle: number
}

/** An SVG path from the right edge of one node to the left edge of another. */
export function wirePath(from: Box, to: Box): string {
  const [x, y] = [Math.round(from.right), Math.round(from.middle)]
  const [toX, toY] = [Math.round(to.left), Math.round(to.middle)]
  const bend = Math.round((toX - x) / 2)
  return `M${x} ${y}C${x + bend} ${y} ${toX - bend} ${toY} ${toX} ${toY}`
}
