import { useEffect, useRef } from 'preact/hooks'
import { t } from '#console/language.ts'
import { MessagePage } from '#console/pages/message.tsx'

/**
 * A message over the list. The address bar shows the address of the message, so a reload shows its page.
 *
 * @param close goes back to the list; it is called for Escape, the button and, where the browser knows
 *   `closedby`, a click beside the dialog
 */
export function MessageDialog({ id, close }: { id: string; close: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])
  return (
    <dialog
      ref={dialog}
      class="over-list"
      aria-label={t('Message')}
      onCancel={event => {
        event.preventDefault()
        close()
      }}
      closedby="any"
    >
      <div class="pane inside">
        <MessagePage id={id} />
        <p class="row">
          <button type="button" onClick={close}>
            {t('Close')}
          </button>
        </p>
      </div>
    </dialog>
  )
}
