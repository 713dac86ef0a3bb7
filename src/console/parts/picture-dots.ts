/** Texts that move through the picture on Home. */
import { onNews } from '#console/live-news.ts'
import { SCRIPTS } from '#console/picture.ts'
import type { News } from '#contracts/live.ts'

const MOVES_MS = 1_100
/** With more, the picture would only flicker. */
const DOTS_MAX = 24
/** A text that follows news of a webhook within this time was caused by it. */
const CAUSE_MS = 1_500

/** Draws a dot on a wire for each text that moves. Returns a function that ends it. */
export function moveDots(place: HTMLElement): () => void {
  if (matchMedia('(prefers-reduced-motion: reduce)').matches) return () => {}
  let cause = { sender: SCRIPTS, at: 0 }
  const move = (wire: string, tone: string, isBackwards = false) => {
    const path = place.parentElement?.querySelector(`[data-wire="${CSS.escape(wire)}"]`)?.getAttribute('d')
    if (path == null || place.childElementCount >= DOTS_MAX) return
    const dot = document.createElement('i')
    dot.className = tone
    dot.style.offsetPath = `path("${path}")`
    place.append(dot)
    const ends = [{ offsetDistance: '0%' }, { offsetDistance: '100%' }]
    const moving = dot.animate(isBackwards ? ends.toReversed() : ends, {
      duration: MOVES_MS,
      easing: 'ease-in-out',
    })
    const end = () => dot.remove()
    moving.finished.then(end, end)
  }
  return onNews(['message', 'received', 'webhook'], (news: News) => {
    if (document.hidden) return
    if (news.type === 'webhook') cause = { sender: news.id, at: Date.now() }
    if (news.type === 'received') return move('people', 'in', true)
    if (news.type !== 'message') return
    const { status, deviceId } = news
    const sender = Date.now() - cause.at < CAUSE_MS ? cause.sender : SCRIPTS
    if (status === 'queued') move(`from ${sender}`, '')
    else if (status === 'sending') move(`to ${deviceId}`, '')
    else if (status === 'sent') move(`out ${deviceId}`, '')
    else if (status === 'delivered') move(`out ${deviceId}`, 'good', true)
    else move(`to ${deviceId}`, 'bad', true)
  })
}
