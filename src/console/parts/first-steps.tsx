import { useRef, useState } from 'preact/hooks'
import { readStorage, writeStorage } from '#console/browser-storage.ts'
import { isPretend } from '#console/is-pretend.ts'
import { t } from '#console/language.ts'
import { type Facts, factsOf, factsOfGateway, nextStep, type Step, stepsOf } from '#console/onboarding.ts'
import { Sign } from '#console/parts/sign.tsx'
import { T } from '#console/parts/t.tsx'
import { may } from '#console/session-of-reader.ts'
import { useResource } from '#console/use-resource.ts'
import type { ConfigurationResource } from '#contracts/configuration.ts'
import type { DeviceListItem } from '#contracts/device.ts'
import type { MessageResource } from '#contracts/message.ts'
import type { WebhookResource } from '#contracts/webhook.ts'

const HIDDEN = 'roost first steps done'

/** What the page knows already, so that it is not fetched again. */
interface Known {
  readonly phones?: readonly DeviceListItem[] | undefined
  readonly texts?: readonly MessageResource[] | undefined
}

/** Null: not known yet, or not asked for, because this browser has hidden the steps. */
function useFacts(isHidden: boolean, known: Known): Facts | null {
  const path = (name: string, value?: unknown) => (isHidden || value !== undefined ? null : name)
  const phones = useResource<readonly DeviceListItem[]>(path('devices', known.phones), ['device'])
  const texts = useResource<readonly MessageResource[]>(path('sms?limit=20', known.texts), ['message'])
  const webhooks = useResource<readonly WebhookResource[]>(path('webhooks'), ['webhook'])
  const configuration = useResource<ConfigurationResource>(may('owner') ? path('configuration') : null, [])
  const sending = known.phones ?? phones.data
  const sent = known.texts ?? texts.data
  if (sending === undefined || sent === undefined || webhooks.data === undefined) return null
  if (may('owner') && configuration.data === undefined && configuration.error === null) return null
  const facts = factsOf(sending, sent, webhooks.data)
  return configuration.data === undefined ? facts : { ...facts, ...factsOfGateway(configuration.data) }
}

export interface FirstStepsState {
  readonly facts: Facts
  /** There are phones, and all of them are pretend phones. */
  readonly hasOnlyPretendPhones: boolean
  /** The first steps ask for something, and their button is the most important one of the page. */
  readonly isAsking: boolean
  hide(): void
}

/** Null: a person has hidden the steps, or the facts are not known yet. */
export function useFirstSteps(phones: Known['phones'], texts: Known['texts']): FirstStepsState | null {
  const [isHidden, setHidden] = useState(readStorage(HIDDEN) !== null)
  const facts = useFacts(isHidden || phones === undefined || texts === undefined, { phones, texts })
  if (isHidden || facts === null || phones === undefined) return null
  const next = nextStep(facts)
  const hasOnlyPretendPhones = phones.length > 0 && phones.every(isPretend)
  return {
    facts,
    hasOnlyPretendPhones,
    isAsking: hasOnlyPretendPhones || (next !== null && next.isLater !== true),
    hide() {
      writeStorage(HIDDEN, '1')
      setHidden(true)
    },
  }
}

interface FirstStepsProps {
  readonly state: FirstStepsState
  /** Something on the page is more important, and has its primary button. */
  readonly isUrgent: boolean
}

/** The first steps on Home, until a person hides them. */
export function FirstSteps({ state, isUrgent }: FirstStepsProps) {
  const { facts, hasOnlyPretendPhones, isAsking, hide } = state
  const tone = isUrgent || !isAsking ? '' : 'primary'
  const next = nextStep(facts)
  if (next === null && hasOnlyPretendPhones)
    return (
      <div class="notice next">
        <p>
          <T>
            <strong>The first steps are done, with a pretend phone.</strong> Add a real phone, and texts reach
            people.
          </T>
        </p>
        <a class={`button ${tone}`} href="#/devices/pair">
          {t('Add a phone')}
        </a>
      </div>
    )
  if (next === null) return null
  return (
    <section class="card" aria-labelledby="first-steps">
      <div class="row apart">
        <h2 id="first-steps">{t('First steps')}</h2>
        <button type="button" class="quiet" onClick={hide}>
          <T>
            Hide<span class="hidden"> the first steps</span>
          </T>
        </button>
      </div>
      <ol class="steps">
        {stepsOf(facts).map(step => (
          <StepLine key={step.title} step={step} tone={step.title === next.title ? tone : ''} />
        ))}
      </ol>
    </section>
  )
}

function StepLine({ step, tone }: { step: Step; tone: string }) {
  return (
    <li>
      <span class={step.done ? 'good' : 'dim'}>
        <Sign of={step.done ? 'sent' : 'off'} />
      </span>
      <span>
        <strong>{step.title}</strong>
        <span class="hidden">{step.done ? ' (done)' : ' (to do)'}</span>
        {!step.done && (
          <span class="dim">
            <T>
              <br />
              {{ what: step.text }} About {{ time: step.time }}.
            </T>
          </span>
        )}
      </span>
      {!step.done && (
        <a class={`button ${tone}`} href={step.href}>
          {step.action}
        </a>
      )}
    </li>
  )
}

interface NextStepProps {
  /** The step of this page is done. Until then nothing is shown. */
  readonly isDone: boolean
  readonly known?: Known
}

/** A link to the next of the first steps, on a page where a person has just done one of them. */
export function NextStep({ isDone, known = {} }: NextStepProps) {
  const facts = useFacts(readStorage(HIDDEN) !== null, known)
  const hadOpenSteps = useRef<boolean | null>(null)
  if (facts === null) return null
  const next = nextStep(facts)
  hadOpenSteps.current ??= next !== null
  if (!isDone || !hadOpenSteps.current) return null
  return (
    <div class="notice next" role="status">
      <p>
        <strong>
          {next === null ? t('All first steps are done.') : t('Next step: {title}.', { title: next.title })}
        </strong>{' '}
        {next?.text}
      </p>
      <a class="button" href={next?.href ?? '#/'}>
        {next?.action ?? t('Go to Home')}
      </a>
    </div>
  )
}
