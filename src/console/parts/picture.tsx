/** The picture on Home: who asks, what waits, who sends, and who reads, with the texts that move. */
import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { language, t } from '#console/language.ts'
import { useNow } from '#console/parts/basics.tsx'
import { moveDots } from '#console/parts/picture-dots.ts'
import { OfflineNode, PhoneNode } from '#console/parts/picture-phone.tsx'
import { StripKeys } from '#console/parts/strip.tsx'
import type { PhonesInShort } from '#console/phones-in-short.ts'
import { type Box, type Sender, wirePath } from '#console/picture.ts'
import { linkTo } from '#console/route.ts'
import { shortAgoWords } from '#console/time-words.ts'
import { canSend } from '#console/why-waits.ts'
import type { DayUsage } from '#contracts/day-usage.ts'
import type { DeviceListItem } from '#contracts/device.ts'
import type { HealthProblem } from '#contracts/health.ts'

export interface PictureProps {
  readonly senders: readonly Sender[]
  readonly otherSenders: number
  readonly waiting: WaitingTexts
  readonly phones: PhonesInShort<DeviceListItem>
  readonly today: DayUsage | undefined
  readonly problems: readonly HealthProblem[]
  /** No phone can send. */
  readonly isCutOff: boolean
}

export interface WaitingTexts {
  readonly count: number
  readonly isMore: boolean
  readonly later: number
  /** What the last of them waits for, and when it leaves, in sentences; empty: nothing waits. */
  readonly why: readonly string[]
}

interface Wire {
  readonly id: string
  readonly from: string
  readonly to: string
  readonly tone: string
}

export function Picture(props: PictureProps) {
  const { senders, problems, isCutOff } = props
  // While another phone sends, one that does not stops nothing.
  const silent = isCutOff ? 'bad' : 'wait'
  const { shown, offline, others } = props.phones
  const place = useRef<HTMLElement>(null)
  const dots = useRef<HTMLDivElement>(null)
  const broken = new Set(problems.map(({ subject }) => subject))
  const wires: readonly Wire[] = [
    ...senders.map(({ id }) => ({
      id: `from ${id}`,
      from: id,
      to: 'hub',
      tone: broken.has(id) ? 'bad' : '',
    })),
    ...shown.flatMap(phone => {
      const { deviceId, paused } = phone
      const tone = paused ? 'off' : canSend(phone) ? '' : silent
      return [
        { id: `to ${deviceId}`, from: 'hub', to: deviceId, tone },
        { id: `out ${deviceId}`, from: deviceId, to: 'people', tone: tone === '' ? '' : 'off' },
      ]
    }),
    { id: 'to offline', from: 'hub', to: 'offline', tone: silent },
    { id: 'people', from: 'hub', to: 'people', tone: 'none' },
  ]
  const paths = usePaths(place, wires)
  useEffect(() => (dots.current === null ? undefined : moveDots(dots.current)), [])
  return (
    <section class="picture" aria-label={t('From senders to people')} ref={place}>
      <svg class="wires" aria-hidden="true">
        {wires.map(({ id, tone }) => (
          <path key={id} data-wire={id} class={tone} d={paths.get(id) ?? ''} />
        ))}
      </svg>
      <div class="dots" ref={dots} aria-hidden="true" />
      <Senders {...props} broken={broken} />
      <Waiting {...props} />
      <Column title={t('Who sends')} kind="phones">
        {shown.map(phone => (
          <PhoneNode key={phone.deviceId} phone={phone} silent={silent} />
        ))}
        {others > 0 && (
          <li>
            <a href="#/devices">{t('1 other phone|{count} other phones', { count: others })}</a>
          </li>
        )}
        {offline.length > 0 && <OfflineNode phones={offline} silent={silent} />}
        {shown.length > 0 && (
          <li>
            <details>
              <summary class="dim">{t('Last 24 hours: what the bars mean')}</summary>
              <StripKeys />
            </details>
          </li>
        )}
      </Column>
      <People today={props.today} />
    </section>
  )
}

/** The paths of the wires between the nodes, as they lie now. Empty on a narrow screen. */
function usePaths(place: preact.RefObject<HTMLElement | null>, wires: readonly Wire[]) {
  const [paths, setPaths] = useState<ReadonlyMap<string, string>>(new Map())
  const measure = () => {
    const frame = place.current
    if (frame === null) return
    const origin = frame.getBoundingClientRect()
    const boxOf = (id: string): Box | null => {
      const node = frame.querySelector(`[data-node="${CSS.escape(id)}"]`)?.getBoundingClientRect()
      if (node === undefined) return null
      const { left, right, top, height } = node
      return { left: left - origin.left, right: right - origin.left, middle: top - origin.top + height / 2 }
    }
    const next = new Map<string, string>()
    if (getComputedStyle(frame).display === 'grid')
      for (const { id, from, to } of wires) {
        const [a, b] = [boxOf(from), boxOf(to)]
        if (a !== null && b !== null) next.set(id, wirePath(a, b))
      }
    setPaths(before => (isSame(before, next) ? before : next))
  }
  // After the nodes are drawn: to measure them at once would delay them.
  useEffect(measure)
  useEffect(() => {
    const observer = new ResizeObserver(measure)
    if (place.current !== null) observer.observe(place.current)
    return () => observer.disconnect()
  }, [wires.map(({ id }) => id).join()])
  return paths
}

function isSame(one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>): boolean {
  return one.size === other.size && [...one].every(([id, path]) => other.get(id) === path)
}

interface ColumnProps {
  readonly title: string
  readonly kind: string
  readonly children: ComponentChildren
}

function Column({ title, kind, children }: ColumnProps) {
  return (
    <div class={`column ${kind}`}>
      <h2>{title}</h2>
      <ul>{children}</ul>
    </div>
  )
}

function Senders({
  senders,
  otherSenders,
  broken,
}: Pick<PictureProps, 'senders' | 'otherSenders'> & { broken: ReadonlySet<string | null> }) {
  const now = useNow()
  return (
    <Column title={t('Who asks')} kind="senders">
      {senders.map(({ id, name, href, lastText, lastAt }) => (
        <li key={id}>
          <a class={`node ${broken.has(id) ? 'bad' : ''}`} data-node={id} href={href}>
            <span class="name">
              <strong dir="auto">{name}</strong>
              {lastAt !== null && <time dateTime={lastAt}>{shortAgoWords(Date.parse(lastAt), now)}</time>}
            </span>
            <span class="one-line" dir="auto">
              {lastAt === null ? t('nothing yet') : (lastText ?? t('its last text is older'))}
            </span>
          </a>
        </li>
      ))}
      {otherSenders > 0 && (
        <li>
          <a href="#/webhooks">{t('1 other webhook|{count} other webhooks', { count: otherSenders })}</a>
        </li>
      )}
    </Column>
  )
}

function Waiting({
  waiting: { count, isMore, later, why },
  problems,
}: Pick<PictureProps, 'waiting' | 'problems'>) {
  const isStalled = problems.some(({ code }) => code === 'QUEUE_STALLED')
  const more = [...why, ...(later > 0 ? [t('{later} for later', { later })] : [])]
  return (
    <Column title={t('What waits')} kind="hub">
      <li>
        <a
          class={`node ${isStalled ? 'bad' : ''}`}
          data-node="hub"
          href={linkTo('texts', { cut: 'waiting' })}
        >
          <strong class="large">
            {count}
            {isMore && '+'}
          </strong>
          <span>{count === 0 ? t('nothing waits') : t('text waits|texts wait', { count })}</span>
          {more.map(one => (
            <span key={one} class="about">
              {one}
            </span>
          ))}
        </a>
      </li>
    </Column>
  )
}

function People({ today }: Pick<PictureProps, 'today'>) {
  return (
    <Column title={t('Who reads')} kind="people">
      <li>
        <a class="node" data-node="people" href={linkTo('texts', { q: t('today') })}>
          <strong class="large">{today === undefined ? '–' : language.number(today.delivered)}</strong>
          <span>{t('delivered today')}</span>
          {today !== undefined && today.sent > 0 && <span>{t('{sent} sent', { sent: today.sent })}</span>}
        </a>
      </li>
      {today !== undefined && today.failed > 0 && (
        <li>
          <a class="node" href={linkTo('texts', { cut: 'failed', q: t('today') })}>
            <span>
              <strong class="bad">{today.failed}</strong> {t('failed')}
            </span>
          </a>
        </li>
      )}
      {today !== undefined && today.received > 0 && (
        <li>
          <a class="node" href="#/texts?cut=received">
            <span>
              <strong>{today.received}</strong> {t('received')}
            </span>
          </a>
        </li>
      )}
    </Column>
  )
}
