import { useState } from 'preact/hooks'
import { Dotted, When } from '#console/parts/basics.tsx'
import { Confirmation } from '#console/parts/confirmation.tsx'
import { Meter } from '#console/parts/meter.tsx'
import { SettleReading } from '#console/parts/settle-reading.tsx'
import { linkTo } from '#console/route.ts'
import { dayStartWords } from '#console/time-words.ts'
import { useResource } from '#console/use-resource.ts'
import type { SeenTriggerResource, TriggerOutcome, WebhookTriggers } from '#contracts/seen-trigger.ts'
import type { WebhookResource } from '#contracts/webhook.ts'

/** The results of a trigger, in words. */
export const OUTCOME_WORDS: Readonly<Record<TriggerOutcome, string>> = {
  TRIGGERED: 'became a text',
  DUPLICATE: 'repeated within a minute: not sent again',
  FILTERED: 'not sent: its severity is too low, or it reports a recovery',
  GATHERED: 'goes into one text with others',
  OVER_CAP: 'refused: more alerts than the limit per hour',
  OVER_QUOTA: 'refused: the texts of this day (UTC) are used up',
  ADDRESS_NOT_ALLOWED: 'refused: this address may not post here',
  NO_DEVICE: 'refused: no phone is paired',
}

/** The last triggers of a webhook. */
export function TriggerList({ webhook }: { webhook: WebhookResource }) {
  const { usage, maxPerHour } = webhook
  const { data: last } = useResource<WebhookTriggers>(`webhooks/${webhook.id}/triggers`, ['webhook'])
  const { triggers = [], lastBody = null } = last ?? {}
  const today = `${usage.today} since ${dayStartWords(Date.now())}`
  const refused = `${usage.rejected} refused over a limit or because of the sender's address`
  const counts = `${today}, ${usage.total} in all, ${refused}.`
  const newest = triggers.find(({ fields }) => fields.length > 0)
  return (
    <>
      <Confirmation trigger={triggers.find(({ confirmationUrl }) => confirmationUrl !== null)} />
      {newest !== undefined && isGuess(newest) && (
        <section class="card" aria-labelledby="teach">
          <h2 id="teach">Does the last alert read well?</h2>
          <SettleReading key={newest.shape} webhook={webhook} trigger={newest} />
        </section>
      )}
      <section class="card" aria-labelledby="triggers">
        <h2 id="triggers">Last alerts</h2>
        <Meter label="Became a text in the last 60 minutes" value={usage.thisHour} max={maxPerHour} />
        <p class="dim">
          {usage.lastTriggeredAt === null && usage.rejected === 0 ? (
            'No alert has arrived yet.'
          ) : (
            <>
              {counts} {usage.guessed > 0 && `Of the last 7 days, ${guessWords(usage.guessed)}. `}
              {usage.lastTriggeredAt !== null && (
                <>
                  The last became a text <When at={usage.lastTriggeredAt} />.{' '}
                </>
              )}
              Repeated alerts are listed, but not counted.{' '}
              <a href={linkTo('messages', { webhookId: webhook.id })}>Show its texts</a>
            </>
          )}
        </p>
        {triggers.length > 0 && (
          <ul class="timeline">
            {triggers.map(row => (
              <TriggerLine key={row.seq} webhook={webhook} trigger={row} />
            ))}
          </ul>
        )}
        {lastBody !== null && (
          <details>
            <summary>The last alert, as it was posted</summary>
            <pre>{lastBody}</pre>
          </details>
        )}
      </section>
    </>
  )
}

/** Whether Roost made the text by a guess. A template of the owner is none. */
function isGuess({ guess, format }: SeenTriggerResource): boolean {
  return guess && format !== 'template'
}

function guessWords(count: number): string {
  return count === 1 ? '1 text was a guess' : `${count} texts were guesses`
}

interface TriggerLineProps {
  readonly webhook: WebhookResource
  readonly trigger: SeenTriggerResource
}

function TriggerLine({ webhook, trigger }: TriggerLineProps) {
  const [isOpen, setOpen] = useState(false)
  const { at, address, outcome, message, fields } = trigger
  return (
    <li>
      <strong>{message ?? 'No text'}</strong>
      <br />
      <span class="dim">
        <Dotted parts={[<When key="at" at={at} />, `from ${address}`, OUTCOME_WORDS[outcome]]} />
      </span>
      {fields.length > 0 && (
        <details onToggle={event => setOpen(event.currentTarget.open)}>
          <summary>{isGuess(trigger) ? 'A guess: say how it reads' : 'How Roost read it'}</summary>
          {isOpen && <SettleReading webhook={webhook} trigger={trigger} />}
        </details>
      )}
    </li>
  )
}
