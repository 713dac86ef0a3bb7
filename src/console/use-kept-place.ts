import { useLayoutEffect, useRef } from 'preact/hooks'

/**
 * Keeps the texts of a conversation where the reader sees them while older ones come in above.
 *
 * @param oldest the key of the first text that is shown
 * @returns to be called before older ones are fetched
 */
export function useKeptPlace(oldest: string | undefined): () => void {
  const kept = useRef<{ readonly node: Element; readonly top: number } | null>(null)
  useLayoutEffect(() => {
    if (kept.current === null) return
    const { node, top } = kept.current
    const scroller = node.closest('.beside') ?? window
    scroller.scrollBy(0, node.getBoundingClientRect().top - top)
  }, [oldest])
  return () => {
    const node = document.querySelector('.talk > .bubble')
    kept.current = node === null ? null : { node, top: node.getBoundingClientRect().top }
  }
}
