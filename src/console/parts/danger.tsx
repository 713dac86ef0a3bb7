import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { t } from '#console/language.ts'
import { Field } from '#console/parts/basics.tsx'

interface DangerProps {
  readonly word: string
  readonly question: string
  readonly onConfirm: () => void
  /** A word that must be typed before the button works, for actions with serious consequences. */
  readonly typed?: string
  /** For what is only to be confirmed: the word of the other button. */
  readonly keep?: string
  /** More to choose, below the question. */
  readonly children?: ComponentChildren
}

/** A button that asks for confirmation before an action that cannot be undone. */
export function Danger({ word, question, onConfirm, typed, keep, children }: DangerProps) {
  const [isAsking, setAsking] = useState(false)
  const [text, setText] = useState('')
  const opener = useRef<HTMLButtonElement>(null)
  const asked = useRef<HTMLElement>(null)
  const wasAsking = useRef(false)
  useEffect(() => {
    // The question may open below the edge of the screen. Afterwards the focus returns to what opened it.
    if (isAsking) {
      asked.current?.scrollIntoView({ block: 'nearest' })
      asked.current?.focus({ preventScroll: true })
    } else if (wasAsking.current) opener.current?.focus()
    wasAsking.current = isAsking
  }, [isAsking])
  if (!isAsking)
    return (
      <button type="button" ref={opener} onClick={() => setAsking(true)}>
        {word}
      </button>
    )
  return (
    <section
      class="notice wait"
      ref={asked}
      aria-label={word}
      tabIndex={-1}
      onKeyDown={event => {
        if (event.key === 'Escape') setAsking(false)
      }}
    >
      <p>{question}</p>
      {children}
      {typed !== undefined && (
        <Field label={t('To confirm, type {typed}', { typed })} value={text} onValue={setText} />
      )}
      <div class="row">
        <button
          type="button"
          class={keep === undefined ? 'danger' : 'primary'}
          disabled={typed !== undefined && text.trim() !== typed.trim()}
          onClick={() => {
            setAsking(false)
            onConfirm()
          }}
        >
          {word}
        </button>
        <button type="button" onClick={() => setAsking(false)}>
          {keep ?? t('Keep it')}
        </button>
      </div>
    </section>
  )
}
