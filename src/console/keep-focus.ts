/** Keeps the focus of people who work with a keyboard or a screen reader. */

/**
 * Follows the focus in a part of the page. A button that is disabled while it works has it again afterwards.
 * If what had it is gone, what was around it gets it. Returns what ends that.
 */
export function keepFocus(root: HTMLElement): () => void {
  /** What had the focus last, and what is around it. */
  let path: readonly EventTarget[] = []
  const note = (event: Event) => {
    path = event.composedPath()
  }
  // A press on an empty place takes the focus away, and means it.
  const forget = () => {
    path = []
  }
  const observer = new MutationObserver(() => {
    if (document.activeElement !== document.body) return
    const near = path.find(one => one instanceof HTMLElement && one.isConnected)
    if (!(near instanceof HTMLElement) || near === document.body || near.matches(':disabled')) return
    if (near !== path[0] && !near.hasAttribute('tabindex')) near.tabIndex = -1
    near.focus({ preventScroll: true })
  })
  root.addEventListener('focusin', note)
  root.addEventListener('pointerdown', forget)
  observer.observe(root, { subtree: true, childList: true, attributeFilter: ['disabled'] })
  return () => {
    observer.disconnect()
    root.removeEventListener('focusin', note)
    root.removeEventListener('pointerdown', forget)
  }
}
