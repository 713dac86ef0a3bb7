/**
 * The sign of trouble on every page: counts at Home and at On call, the first in the title, too, and a dot in
 * the icon of the tab.
 */
import { effect, signal } from '@preact/signals'
import { t } from '#console/language.ts'
import type { IncidentResource } from '#contracts/incident.ts'

/** How many things Home lists as wrong. */
export const problemCount = signal(0)

/** The alerts that nobody has, the newest first. */
export const waitingAlerts = signal<readonly IncidentResource[]>([])

/** The heading of the page; empty: none is drawn. */
export const heading = signal('')

effect(() => {
  const page = heading.value === '' ? 'Roost' : `${heading.value} – Roost`
  document.title = problemCount.value === 0 ? page : `(${problemCount.value}) ${page}`
})

let showsTrouble = false
effect(() => {
  const icon = document.querySelector<HTMLLinkElement>('link[rel=icon]')
  if (icon === null || problemCount.value > 0 === showsTrouble) return
  showsTrouble = !showsTrouble
  const { other = '' } = icon.dataset
  icon.dataset['other'] = icon.getAttribute('href') ?? ''
  icon.setAttribute('href', other)
})

/** `1 problem`, `3 problems`; for screen readers, behind the name of the page that lists them. */
export function problemWords(count: number): string {
  return t('1 problem|{count} problems', { count })
}

/** `One alert waits.` */
export function alertWords(count: number): string {
  return t('One alert waits.|{count} alerts wait.', { count })
}
