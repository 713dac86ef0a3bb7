import { useRef, useState } from 'preact/hooks'
import { t } from '#console/language.ts'
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
  TRIGGERED: t('became a text'),
  DUPLICATE: t('repeated within a minute: not sent again'),
  FILTERED: t('not sent: its severity is too low, or it reports a recovery'),
  GATHERED: t('goes into one text with others'),
  OVER_CAP: t('refused: more alerts than the limit per hour'),
  OVER_QUOTA: t('refused: the texts of this day (UTC) are used up'),
  ADDRESS_NOT_ALLOWED: t('refused: this address may not post here'),
  NO_DEVICE: t('refused: no phone is paired'),
}

/** So many are shown at first. */
const FIRST = 5

/** The last triggers of a webhook. */
export function TriggerList({ webhook }: { webhook: WebhookResource }) {
  const { usage, maxPerHour } = webhook
  const { data: last } = useResource<WebhookTriggers>(`webhooks/${webhook.id}/triggers`, ['webhook'])
  const { triggers = [], lastBody = null } = last ?? {}
  const [isAll, setAll] = useState(false)
  const shown = isAll ? triggers : triggers.slice(0, FIRST)
  const isOfOne = triggers.every(({ address }) => address === triggers[0]?.address)
  const isUnheard = usage.lastTriggeredAt === null && usage.rejected === 0
  const counts = [
    t('{count} since {dayStart}', { count: usage.today, dayStart: dayStartWords(Date.now()) }),
    t('{total} in all', { total: usage.total }),
    usage.rejected > 0 &&
      t('{count} refused over a limit or because of the sender’s address', { count: usage.rejected }),
    usage.guessed > 0 && guessWords(usage.guessed),
    isOfOne && triggers[0] !== undefined && t('from {address}', { address: triggers[0].address }),
  ].filter(one => typeof one === 'string')
  const newest = triggers.find(({ fields }) => fields.length > 0)
  const asked = triggers.find(({ unsettled, fields }) => unsettled === true && fields.length > 0)
  // What was just settled stays until the next alert, so that its owner reads that it was saved.
  const lastAsked = useRef(0)
  if (asked !== undefined) lastAsked.current = asked.seq
  const taught = asked ?? (newest?.seq === lastAsked.current ? newest : null)
  return (
    <>
      <Confirmation trigger={triggers.find(({ confirmationUrl }) => confirmationUrl !== null)} />
      {taught !== null && (
        <section class="card" aria-labelledby="teach">
          <h2 id="teach">{t('Does this alert read well?')}</h2>
          <SettleReading key={taught.shape} webhook={webhook} trigger={taught} />
        </section>
      )}
      <section class="card" aria-labelledby="triggers">
        <div class="row apart">
          <h2 id="triggers">{t('Last alerts')}</h2>
          {!isUnheard && <a href={linkTo('texts', { webhookId: webhook.id })}>{t('Show its texts')}</a>}
        </div>
        <Meter label={t('Became a text in the last 60 minutes')} value={usage.thisHour} max={maxPerHour} />
        <p class="dim">{isUnheard ? t('No alert has arrived yet.') : <Dotted parts={counts} />}</p>
        {triggers.length > 0 && (
          <ul class="timeline">
            {shown.map(row => (
              <TriggerLine
                key={row.seq}
                webhook={webhook}
                trigger={row}
                isAbove={row === taught}
                isOfOne={isOfOne}
              />
            ))}
          </ul>
        )}
        {shown.length < triggers.length && (
          <p>
            <button type="button" onClick={() => setAll(true)}>
              {t('Show more')}
            </button>
          </p>
        )}
        {triggers.some(({ outcome }) => outcome === 'DUPLICATE') && (
          <p class="hint">{t('Repeated alerts are listed, but not counted.')}</p>
        )}
        {lastBody !== null && newest === undefined && (
          <details>
            <summary>{t('The last alert, as it was posted')}</summary>
            <pre>{lastBody}</pre>
          </details>
        )}
      </section>
    </>
  )
}

/** Whether Roost made the text by a guess. A template of the owner is none. */
export function isGuess({ guess, format }: SeenTriggerResource): boolean {
  return guess && format !== 'template'
}

function guessWords(count: number): string {
  return t('{count} of unknown format in 7 days', { count })
}

interface TriggerLineProps {
  readonly webhook: WebhookResource
  readonly trigger: SeenTriggerResource
  /** How it reads stands above the list. */
  readonly isAbove: boolean
  /** All come from one address, which the page says above. */
  readonly isOfOne: boolean
}

function TriggerLine({ webhook, trigger, isAbove, isOfOne }: TriggerLineProps) {
  const [isOpen, setOpen] = useState(false)
  const { at, address, outcome, message, fields } = trigger
  return (
    <li>
      <strong>{message ?? t('No text')}</strong>
      <br />
      <span class="dim">
        <Dotted
          parts={[
            <When key="at" at={at} />,
            ...(isOfOne ? [] : [t('from {address}', { address })]),
            ...(outcome === 'TRIGGERED' ? [] : [OUTCOME_WORDS[outcome]]),
          ]}
        />
      </span>
      {fields.length > 0 && !isAbove && (
        <details onToggle={event => setOpen(event.currentTarget.open)}>
          <summary>
            {isGuess(trigger) ? t('Unknown format: say how it reads') : t('How Roost read it')}
          </summary>
          {isOpen && <SettleReading webhook={webhook} trigger={trigger} />}
        </details>
      )}
    </li>
  )
}
