import type { AlertFacts } from '#contracts/alert-reading.ts'
import type { WebhookFields } from '#contracts/webhook-commands.ts'
import { NO_FACTS, startWebhook } from '#test/kit/webhook-world.ts'

export const MINUTE = 60_000

/** A webhook that gathers. `down` and `up` are alerts about a thing. */
export function startStorm(fields: Partial<WebhookFields> = {}, plan = 'pro') {
  const it = startWebhook({ maxPerHour: 20, gather: true, ...fields }, plan)
  let alerts = 0
  const about = (subject: string, facts: Partial<AlertFacts>) =>
    it.trigger(`${++alerts} ${subject}`, { ...NO_FACTS, key: `thing:${subject}`, subject, ...facts })
  const down = (subject: string, facts: Partial<AlertFacts> = {}) =>
    about(subject, { state: 'firing', ...facts })
  const up = (subject: string) => about(subject, { state: 'recovered' })
  /** Four alerts, after which the next one within a minute is gathered. */
  const fill = () => {
    for (const subject of ['A', 'B', 'C', 'D']) down(subject)
  }
  /** The texts since the last call. */
  let told = 0
  const news = () => {
    const all = it.texts().slice(told)
    told += all.length
    return all
  }
  /** Lets time pass; an alert without news every four minutes keeps the storm alive. */
  const keepAlive = (minutes: number) => {
    for (let left = minutes; left > 0; left -= 4) {
      down('A')
      it.world.advance(Math.min(left, 4) * MINUTE)
    }
  }
  return { ...it, about, down, up, fill, news, keepAlive }
}
