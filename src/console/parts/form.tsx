import type { ComponentChildren } from 'preact'
import { Fault } from '#console/parts/basics.tsx'
import type { Action } from '#console/use-resource.ts'

interface FormProps {
  readonly action: Action
  readonly send: () => unknown
  /** Fields, by their names in the API, that show themselves what is wrong with them. */
  readonly fields: readonly string[]
  /** Of the button. */
  readonly word: string
  readonly look?: string
  readonly children: ComponentChildren
}

/** A form, why it was refused, and its button. */
export function Form({ action, send, fields, word, look = 'card slim', children }: FormProps) {
  return (
    <form
      class={look}
      onSubmit={event => {
        event.preventDefault()
        void send()
      }}
    >
      {children}
      <Fault error={action.error} fields={fields} />
      <button type="submit" class="primary" disabled={action.busy}>
        {word}
      </button>
    </form>
  )
}
