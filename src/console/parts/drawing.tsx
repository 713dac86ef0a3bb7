/** What each drawing shows beside the bird on its perch, as an SVG path. */
const THINGS = {
  phone: 'M74 22h24a4 4 0 0 1 4 4v46H70V26a4 4 0 0 1 4-4zM82 66h8',
  text: 'M66 30h44a4 4 0 0 1 4 4v20a4 4 0 0 1-4 4H84l-12 10V58h-6a4 4 0 0 1-4-4V34a4 4 0 0 1 4-4z',
  hook: 'M88 22v28M77 39l11 11 11-11M66 50v20h44V50',
  letter: 'M64 34h48v34H64zM64 36l24 18 24-18',
  night: 'M102 20a20 20 0 1 0 10 30 16 16 0 0 1-10-30zM70 22v6m-3-3h6M62 44v4m-2-2h4',
} as const

export type DrawingOf = keyof typeof THINGS

/** A small drawing for a page without content. */
export function Drawing({ of }: { of: DrawingOf }) {
  return (
    <svg class="drawing" viewBox="0 0 132 84" aria-hidden="true">
      <path d="M8 72h116" />
      <path d={THINGS[of]} />
      <path class="sitter" d="M20 71c-1-14 5-26 16-26a9 9 0 0 1 9 7l7 2.5-7 2.5c-1 8-9 14-25 14z" />
      <circle class="pupil" cx="37" cy="53" r="2" />
    </svg>
  )
}
