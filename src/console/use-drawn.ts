import { useEffect, useState } from 'preact/hooks'
import { shown } from '#console/shown.ts'

/** More lines than a screen has. */
const FIRST = 20

/**
 * How many lines of a long list to draw: at once those that the screen shows, the others in steps after them.
 * A reader who comes back to a line gets all at once.
 */
export function useDrawn(count: number): number {
  const [drawn, setDrawn] = useState(shown.peek().place === null ? FIRST : Number.POSITIVE_INFINITY)
  useEffect(() => {
    if (drawn >= count) return
    const timer = setTimeout(() => setDrawn(drawn * 2))
    return () => clearTimeout(timer)
  }, [drawn, count])
  return drawn
}
