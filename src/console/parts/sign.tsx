/** The signs of states. They are drawn, because fonts draw such characters differently on each machine. */
const SIGNS = {
  queued: 'M8 2.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11zM8 5v3l2 1.5',
  sending: 'M2.5 8h10M8.5 4l4 4-4 4',
  sent: 'M3 8.5l3.5 3.5L13 4.5',
  delivered: 'M1 8.5L4.5 12 10 5M8 11.5l.5.5L14.5 5',
  failed: 'M4 4l8 8M12 4l-8 8',
  received: 'M12.5 3.5l-9 9M3.5 6v6.5H10',
  on: 'M8 5.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 1 0 0-5z',
  off: 'M8 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8z',
  barred: 'M8 3a5 5 0 1 0 0 10A5 5 0 0 0 8 3zM4.5 11.5l7-7',
  paused: 'M5.5 4v8M10.5 4v8',
  printed: 'M4 2.5h8v11H4zM6.5 6h3M6.5 9h3',
  none: 'M4 8h8',
  alert: 'M8 3v6M8 13h.01',
  back: 'M10 3L5 8l5 5',
  charging: 'M9 2L4 9h4l-1 5 5-7H8z',
  rings: 'M5 2.5l1.5 3.5L5 7.5A9 9 0 0 0 8.5 11L10 9.5l3.5 1.5v2.5h-1A10 10 0 0 1 2.5 3.5v-1z',
} as const
export type SignName = keyof typeof SIGNS

/** A sign as large as the text beside it. Words say the same. */
export function Sign({ of }: { of: SignName }) {
  return (
    <svg class={of === 'on' ? 'icon full' : 'icon'} viewBox="0 0 16 16" aria-hidden="true">
      <path d={SIGNS[of]} />
    </svg>
  )
}
