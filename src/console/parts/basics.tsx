/** Small components that every page uses. */
import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { type ApiError, isLoggedOut } from '#console/api.ts'
import { isShownAt } from '#console/is-shown-at.ts'
import { t } from '#console/language.ts'
import { awaySince } from '#console/live-news.ts'
import { Drawing, type DrawingOf } from '#console/parts/drawing.tsx'
import { Issue } from '#console/parts/issue.tsx'
import { Sign, type SignName } from '#console/parts/sign.tsx'
import { agoWords, exactWords, spanWords } from '#console/time-words.ts'
import { heading as tabTitle } from '#console/trouble.ts'
import { handbookOfRefusal } from '#contracts/handbook.ts'
import type { ProblemCode } from '#contracts/problem.ts'

/**
 * The current time in milliseconds. The component renders again every `everyMs`. While the gateway is away it
 * is the time until which the page knows anything, so that nothing on it grows older.
 */
export function useNow(everyMs = 15_000): number {
  const [, tick] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => tick(count => count + 1), everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
  // What arrived since the last tick would otherwise be in the future.
  return awaySince.value ?? Date.now()
}

/** The exact time, for a pointer that rests on the element. To write it for each line would take long. */
export function exactTitle(at: string) {
  return {
    onPointerEnter({ currentTarget }: { readonly currentTarget: HTMLElement }) {
      currentTarget.title = exactWords(at)
    },
  }
}

interface WhenProps {
  readonly at: string | null
  /** Counts the seconds, too. By default the last ten seconds are `just now`. */
  readonly isExact?: boolean
}

export function When({ at, isExact = false }: WhenProps) {
  const now = useNow(isExact ? 1_000 : 15_000)
  if (at === null) return <span class="dim">{t('never')}</span>
  return (
    <time dateTime={at} {...exactTitle(at)}>
      {isExact ? t('{span} ago', { span: spanWords(now - Date.parse(at)) }) : agoWords(Date.parse(at), now)}
    </time>
  )
}

export type Tone = 'good' | 'bad' | 'wait' | 'dim'

/** Shows a status by a sign and a word as well as by its colour, for people who cannot see the colour. */
export function Mark({ tone, mark, word }: { tone: Tone; mark: SignName; word: string }) {
  return (
    <span class={`mark ${tone}`}>
      <Sign of={mark} /> {word}
    </span>
  )
}

/** Short facts with dots between them, but none at the end of a line. */
export function Dotted({ parts }: { parts: readonly ComponentChildren[] }) {
  return (
    <span class="dotted">
      {parts.map((part, index) => (
        <span key={index}>{part}</span>
      ))}
    </span>
  )
}

/** The headings that are drawn. The last one is the title of the browser's tab: a dialog is over its page. */
const headings: { readonly title: string }[] = []

function showTitle(): void {
  tabTitle.value = headings.at(-1)?.title ?? ''
}

interface PageHeadProps {
  /** The title of the browser's tab. */
  readonly title: string
  /** The heading of the page, if it is not the same. */
  readonly heading?: ComponentChildren
  readonly children?: ComponentChildren
}

export function PageHead({ title, heading, children }: PageHeadProps) {
  useEffect(() => {
    const mine = { title }
    headings.push(mine)
    showTitle()
    // Another heading may have come before this one goes, so restoring an earlier title would be wrong.
    return () => {
      headings.splice(headings.indexOf(mine), 1)
      showTitle()
    }
  }, [title])
  return (
    <div class="head">
      <h1>{heading || title}</h1>
      {children}
    </div>
  )
}

interface FaultProps {
  readonly error: ApiError | null
  readonly retry?: () => void
  /** Fields of the form, by their names in the API. What they show themselves is not repeated. */
  readonly fields?: readonly string[]
}

export function Fault({ error, retry, fields = [] }: FaultProps) {
  const now = useNow(1_000)
  const [at, setAt] = useState(now)
  useEffect(() => setAt(Date.now()), [error])
  if (error === null || isShownAt(fields, error.issues)) return null
  // The frame of the page says so already, and fetches everything once the gateway is back.
  if (error.code === 'AWAY' && retry !== undefined && awaySince.value !== null) return null
  // The login form says so, and after the login the content is fetched again.
  if (error.code === 'LOGGED_OUT' && (retry !== undefined || isLoggedOut.value)) return null
  const left = error.retryAfterS === null ? 0 : Math.ceil(error.retryAfterS - (now - at) / 1_000)
  // The console itself makes the codes of other failures. A form says itself what is wrong with its fields.
  const isExplained = error.status > 400 && error.code !== 'UNKNOWN'
  // Nothing that was asked for is lost while the gateway starts, stops or is busy.
  const isPassing = retry !== undefined && (error.status === 503 || error.status === 0)
  return (
    <div class={`notice ${isPassing ? 'wait' : 'bad'}`} role="alert">
      <p>{error.message}</p>
      {left > 0 && error.status === 429 && (
        <p>{t('You can try again in {span}.', { span: spanWords(left * 1_000) })}</p>
      )}
      {(retry !== undefined || isExplained) && (
        <p class="row">
          {retry !== undefined && (
            <button type="button" onClick={retry}>
              {t('Try again')}
            </button>
          )}
          {isExplained && (
            <NewTab href={handbookOfRefusal(error.code as ProblemCode)}>{t('In the handbook')}</NewTab>
          )}
        </p>
      )}
    </div>
  )
}

/** A link that opens in a new tab. The console stays open, because it may show a key for the only time. */
export function NewTab({ href, children }: { href: string; children: string }) {
  return (
    <a href={href} target="_blank" rel="noopener">
      {children}
    </a>
  )
}

/** A placeholder while loading; it appears after a moment, so that fast content does not flicker. */
export function Loading() {
  const [isLate, setLate] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), 150)
    return () => clearTimeout(timer)
  }, [])
  if (!isLate) return null
  return (
    <div class="skeleton" role="status">
      <span class="hidden">{t('Loading')}</span>
      <i />
      <i />
      <i />
    </div>
  )
}

export function Empty({ title, drawing, children }: PageHeadProps & { readonly drawing?: DrawingOf }) {
  return (
    <div class="empty">
      {drawing !== undefined && <Drawing of={drawing} />}
      <h2>{title}</h2>
      {children}
    </div>
  )
}

interface FieldProps {
  readonly label: string
  readonly value: string
  readonly onValue: (value: string) => void
  readonly hint?: ComponentChildren
  readonly issue?: string | undefined
  readonly type?: string
  readonly rows?: number
  readonly name?: string
  readonly autoComplete?: string
  readonly placeholder?: string
  /** The id of a `datalist` with values to choose from. */
  readonly list?: string
  readonly required?: boolean
  readonly mono?: boolean
  /** Gets the focus when the page opens. */
  readonly isFirst?: boolean
  readonly min?: number
  readonly max?: number
  /** Between the label and the field. */
  readonly children?: ComponentChildren
}

export function Field(props: FieldProps) {
  const { label, value, onValue, hint, issue, rows, type = 'text', mono, isFirst, children, ...rest } = props
  const id = useId()
  const input = useRef<HTMLInputElement & HTMLTextAreaElement>(null)
  useEffect(() => {
    if (isFirst === true) input.current?.focus()
  }, [])
  // A refusal says how to mend the value, so the hint would only repeat it.
  const described = issue !== undefined ? `${id}i` : hint !== undefined ? `${id}h` : ''
  const common = {
    id,
    ref: input,
    value,
    ...rest,
    'aria-invalid': issue !== undefined,
    ...(described !== '' && { 'aria-describedby': described }),
    onInput: (event: Event) => onValue((event.currentTarget as HTMLInputElement).value),
    class: mono === true ? 'mono' : '',
  }
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children}
      {rows === undefined ? (
        <input type={type as 'text'} {...common} />
      ) : (
        <textarea rows={rows} {...common} />
      )}
      {hint !== undefined && issue === undefined && (
        <p class="hint" id={`${id}h`}>
          {hint}
        </p>
      )}
      <Issue text={issue} id={`${id}i`} />
    </div>
  )
}

interface ChoiceProps {
  readonly label: string
  readonly value: string
  readonly options: readonly (readonly [value: string, word: string])[]
  readonly onValue: (value: string) => void
}

export function Choice({ label, value, options, onValue }: ChoiceProps) {
  const id = useId()
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select id={id} value={value} onChange={event => onValue(event.currentTarget.value)}>
        {options.map(([one, word]) => (
          <option key={one} value={one} selected={one === value}>
            {word}
          </option>
        ))}
      </select>
    </div>
  )
}

export function Tick(props: { label: string; checked: boolean; onValue: (checked: boolean) => void }) {
  return (
    <label class="tick">
      <input
        type="checkbox"
        checked={props.checked}
        onChange={event => props.onValue(event.currentTarget.checked)}
      />
      {props.label}
    </label>
  )
}
