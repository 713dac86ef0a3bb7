import { useEffect, useRef } from 'preact/hooks'

const CONTROLS = 'input, select, textarea, summary'

/**
 * What is wrong with a field. After a refusal the first field to mend gets the focus, unless the reader is in
 * another field.
 */
export function Issue({ text, id }: { readonly text: string | undefined; readonly id?: string }) {
  const line = useRef<HTMLParagraphElement>(null)
  useEffect(() => {
    const isTyping = document.activeElement?.matches('input, select, textarea') === true
    if (isTyping || line.current === null || document.querySelector('.issue') !== line.current) return
    line.current.closest('.field, fieldset')?.querySelector<HTMLElement>(CONTROLS)?.focus()
  }, [text])
  if (text === undefined) return null
  return (
    <p class="issue" id={id} role="alert" ref={line}>
      {text}
    </p>
  )
}
