import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { t } from '#console/language.ts'
import { Field } from '#console/parts/basics.tsx'

interface DangerProps {
  readonly word: string
  readonly question: string
  readonly onConfirm: () => void
  /** A word that must be typed before the button works, for actions with serious consequences. */
  readonly typed?: string
  /** More to choose, below the question. */
  readonly children?: ComponentChildren
}

/** Scrolls until the whole question is visible, because it may open below the edge of the screen. */
const showWhole = (question: HTMLElement | null) => question?.scrollIntoView({ block: 'nearest' })

/** A button that asks for confirmation before an action that cannot be undone. */
export function Danger({ word, question, onConfirm, typed, children }: DangerProps) {
  const [isAsking, setAsking] = useState(false)
  const [text, setText] = useState('')
  if (!isAsking)
    return (
      <button type="button" onClick={() => setAsking(true)}>
        {word}
      </button>
    )
  return (
    <div class="notice wait" ref={showWhole}>
      <p>{question}</p>
      {children}
      {typed !== undefined && (
        <Field label={t('To confirm, type {typed}', { typed })} value={text} onValue={setText} />
      )}
      <div class="row">
        <button
          type="button"
          class="danger"
          disabled={typed !== undefined && text.trim() !== typed.trim()}
          onClick={onConfirm}
        >
          {word}
        </button>
        <button type="button" onClick={() => setAsking(false)}>
          {t('Keep it')}
        </button>
      </div>
    </div>
  )
}
