/** The result of a delivery: tone, sign, word. The words differ from those of the text it is about. */
export const DELIVERY_MARKS = {
  pending: ['wait', '◌', 'Waiting'],
  delivered: ['good', '✓', 'Posted'],
  failed: ['bad', '✕', 'Not posted'],
  cancelled: ['dim', '–', 'Cancelled'],
} as const
