import { isPretend } from '#console/is-pretend.ts'
import { t } from '#console/language.ts'
import { linkTo } from '#console/route.ts'
import type { ConfigurationResource } from '#contracts/configuration.ts'
import type { DeviceListItem } from '#contracts/device.ts'
import type { MessageResource } from '#contracts/message.ts'
import type { WebhookResource } from '#contracts/webhook.ts'

/** What the first text says, unless its writer changes it. */
export const TEST_TEXT = t('Hello from Roost')

/** Counts that decide which of the first steps are done. */
export interface Facts {
  readonly devices: number
  readonly messages: number
  readonly webhooks: number
  readonly alerts: number
  /** A phone that could prove the chain with another one; null: there are not two, or one did. */
  readonly unproven: string | null
  /** Whether a phone is proven. */
  readonly isProven: boolean
  /** Whether somebody is told of trouble, and whether there are copies; absent: another account decides. */
  readonly isWatched?: boolean
  readonly isCopied?: boolean
}

type Sender = Pick<DeviceListItem, 'driver' | 'deviceId' | 'proven'>
type Text = Pick<MessageResource, 'kind' | 'pretend'>

/** What has been done. Texts that only a pretend phone took count until that phone is removed. */
export function factsOf(
  phones: readonly Sender[],
  texts: readonly Text[],
  webhooks: readonly Pick<WebhookResource, 'usage'>[],
): Facts {
  const isTrial = phones.some(isPretend)
  const areCounted = (some: readonly Text[]) => isTrial || some.length === 0 || some.some(one => !one.pretend)
  const real = phones.filter(phone => !isPretend(phone))
  const isProven = real.some(({ proven }) => proven.sends !== null)
  const total = webhooks.reduce((sum, { usage }) => sum + usage.total, 0)
  return {
    devices: phones.length,
    messages: areCounted(texts) ? texts.length : 0,
    webhooks: webhooks.length,
    isProven,
    unproven: real.length > 1 && !isProven ? (real[0]?.deviceId ?? null) : null,
    alerts: areCounted(texts.filter(({ kind }) => kind === 'webhook')) ? total : 0,
  }
}

/** The same of what only the owner of the gateway sees. */
export function factsOfGateway({
  alarms,
  backup,
}: Pick<ConfigurationResource, 'alarms' | 'backup'>): Pick<Facts, 'isWatched' | 'isCopied'> {
  return {
    ...(alarms !== null && { isWatched: alarms.recipients.length > 0 }),
    ...(backup !== null && { isCopied: backup.enabled }),
  }
}

export interface Step {
  readonly title: string
  /** Shown while the step is open. */
  readonly text: string
  readonly time: string
  /** The page on which to do the step. */
  readonly href: string
  readonly action: string
  readonly done: boolean
  /** It may wait: its button is never the most important one of a page. */
  readonly isLater?: true
}

export function stepsOf(facts: Facts): readonly Step[] {
  return [
    {
      title: t('Choose a password'),
      text: '',
      time: '',
      href: '#/settings/account',
      action: t('Settings'),
      done: true,
    },
    {
      title: t('Add a phone'),
      text: t('An Android phone with a SIM card sends your texts.'),
      time: t('{count} min', { count: 2 }),
      href: '#/devices/pair',
      action: t('Add a phone'),
      done: facts.devices > 0,
    },
    {
      title: t('Send yourself a text'),
      text: t('See that it arrives.'),
      time: t('{count} min', { count: 1 }),
      href: linkTo('texts/new', { text: TEST_TEXT }),
      action: t('Write a text'),
      done: facts.messages > 0,
    },
    ...(facts.unproven === null && !facts.isProven ? [] : [proofOf(facts)]),
    {
      title: t('Make a webhook'),
      text: t('An address that turns what a monitor posts into a text.'),
      time: t('{count} min', { count: 2 }),
      href: '#/webhooks/new',
      action: t('Make a webhook'),
      done: facts.webhooks > 0,
    },
    {
      title: t('See an alert arrive'),
      text: t('Press the test button of your monitor.'),
      time: t('{count} min', { count: 1 }),
      href: '#/webhooks',
      action: t('Show my webhooks'),
      done: facts.alerts > 0,
    },
    ...(facts.isWatched === undefined ? [] : [watchOf(facts.isWatched)]),
    ...(facts.isCopied === undefined ? [] : [copyOf(facts.isCopied)]),
  ]
}

function watchOf(done: boolean): Step {
  return {
    title: t('Tell me when this box or its phone is in trouble'),
    text: t('A text to your number, through a phone that still works.'),
    time: t('{count} min', { count: 1 }),
    href: '#/settings/alarms',
    action: t('Tell me'),
    done,
    isLater: true,
  }
}

function copyOf(done: boolean): Step {
  return {
    title: t('Make a copy every night'),
    text: t('So that a broken disk costs you a day at most.'),
    time: t('{count} min', { count: 1 }),
    href: '#/settings/backup',
    action: t('Make copies'),
    done,
    isLater: true,
  }
}

/** Offered from the second phone on: one alone can prove little. */
function proofOf({ unproven, isProven }: Facts): Step {
  return {
    title: t('Let your phones prove it'),
    text: t('One texts the other, and the text must come back; then each day at 10:00, if you like.'),
    time: t('{count} min', { count: 1 }),
    href: linkTo(unproven === null ? 'devices' : `devices/${unproven}`),
    action: t('Prove it'),
    done: isProven,
  }
}

/** The first open step. Null: all are done. */
export function nextStep(facts: Facts): Step | null {
  return stepsOf(facts).find(({ done }) => !done) ?? null
}
