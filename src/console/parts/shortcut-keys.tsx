import { signal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { readStorage, writeStorage } from '#console/browser-storage.ts'
import { t } from '#console/language.ts'
import { linkTo } from '#console/route.ts'
import { SHORTCUTS, shortcutOf } from '#console/shortcuts.ts'

/** How long `g` waits for the second key, in milliseconds. */
const SECOND_KEY_MS = 1_500

export const SEARCH_FIELD = 'input[type="search"]'

const OFF = 'roost shortcuts off'
export const areShortcutsOn = signal(readStorage(OFF) !== '1')

export function switchShortcuts(isOn: boolean): void {
  areShortcutsOn.value = isOn
  writeStorage(OFF, isOn ? '0' : '1')
}

/** Listens for keyboard shortcuts, and shows the list of them. */
export function ShortcutKeys() {
  const help = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    let lastKey: string | null = null
    let pressedAt = 0
    const onKey = (event: KeyboardEvent) => {
      if (!areShortcutsOn.value || event.ctrlKey || event.altKey || event.metaKey) return
      if (isTyping(event.target) || document.querySelector('dialog[open]') !== null) return
      const isSecond = event.timeStamp - pressedAt < SECOND_KEY_MS
      const shortcut = shortcutOf(isSecond ? lastKey : null, event.key)
      lastKey = event.key
      pressedAt = event.timeStamp
      if (shortcut === null) return
      event.preventDefault()
      lastKey = null
      if (shortcut === 'help') help.current?.showModal()
      else if (shortcut === 'search') goToSearch()
      else location.hash = `#/${shortcut.go}`
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
  return (
    <dialog ref={help} aria-labelledby="keys-title">
      <h2 id="keys-title">{t('Keys')}</h2>
      <dl class="facts">
        {SHORTCUTS.map(([keys, word]) => (
          <>
            <dt>
              {keys.split(' ').map(key => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{word}</dd>
          </>
        ))}
      </dl>
      <p class="hint">{t('You can switch them off in Settings.')}</p>
      <button type="button" onClick={() => help.current?.close()}>
        {t('Close')}
      </button>
    </dialog>
  )
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('input, textarea, select, [contenteditable]') !== null
}

/** Only the page of texts has a search field. `Shell` in `app.tsx` moves the focus to it. */
function goToSearch(): void {
  const search = document.querySelector<HTMLInputElement>(SEARCH_FIELD)
  if (search === null) location.hash = linkTo('texts', { find: '1' })
  else search.focus()
}
