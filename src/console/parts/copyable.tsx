import { useState } from 'preact/hooks'
import { t } from '#console/language.ts'
import { T } from '#console/parts/t.tsx'

interface CopyProps {
  readonly text: string
  /** What is copied, for screen readers: `the address`. */
  readonly label: string
  readonly onCopied?: () => void
}

/** A button that copies a text, and the result beside it. */
export function CopyButton({ text, label, onCopied }: CopyProps) {
  const [notice, setNotice] = useState('')
  const onClick = () => {
    copy(text).then(
      done => {
        setNotice(done ? t('Copied') : t('Select it and copy it by hand'))
        if (done) onCopied?.()
      },
      () => setNotice(t('Select it and copy it by hand')),
    )
  }
  return (
    <span class="row">
      <button type="button" onClick={onClick} aria-label={t('Copy {label}', { label })}>
        {t('Copy')}
      </button>
      <span role="status">{notice}</span>
    </span>
  )
}

/** A command or an address. It breaks between words, because half an option on a line misleads. */
function Command({ text }: { text: string }) {
  return (
    <pre>
      {[...text.matchAll(/\s+|\S+/g)].map(({ 0: word, index }) => (
        <span key={index} class={isWhole(word) ? 'whole' : ''}>
          {word}
        </span>
      ))}
    </pre>
  )
}

/** Only a long address may break, because it may not fit on a line of a small screen. */
function isWhole(word: string): boolean {
  return word.length <= WHOLE_LENGTH_MAX && word.trim() !== ''
}

const WHOLE_LENGTH_MAX = 24

/** What to type where the command `roost` is not installed. */
export function InClone() {
  return (
    <T>
      In a clone of the repository, type <code class="whole">npm run -s roost --</code> in place of{' '}
      <code>roost</code>.
    </T>
  )
}

/** A text in a frame, with a button that copies it. */
export function Copyable(props: CopyProps) {
  return (
    <div class="copyable">
      <Command text={props.text} />
      <CopyButton {...props} />
    </div>
  )
}

/**
 * Copies a text; resolves to whether that worked. Pages on plain HTTP have no clipboard API. There the text
 * is copied from a hidden field.
 */
async function copy(text: string): Promise<boolean> {
  if (navigator.clipboard !== undefined) {
    await navigator.clipboard.writeText(text)
    return true
  }
  const area = document.createElement('textarea')
  area.value = text
  area.className = 'hidden'
  const before = document.activeElement
  // While a modal dialog is open, nothing outside it can be selected.
  const place = document.querySelector('dialog:modal') ?? document.body
  place.append(area)
  area.select()
  const done = document.execCommand('copy')
  area.remove()
  if (before instanceof HTMLElement) before.focus()
  return done
}
