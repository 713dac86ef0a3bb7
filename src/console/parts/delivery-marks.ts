/** The result of a delivery: tone, sign, word. The words differ from those for the status of a text. */
export const DELIVERY_MARKS = {
  pending: ['wait', '◌', 'Waiting'],
  delivered: ['good', '✓', 'Posted'],
  failed: ['bad', '✕', 'Not posted'],
  cancelled: ['dim', '–', 'Cancelled'],
} as const
