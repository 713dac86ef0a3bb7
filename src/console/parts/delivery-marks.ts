/** The result of a delivery: tone, sign, word. */
export const DELIVERY_MARKS = {
  pending: ['wait', '◌', 'Waiting'],
  delivered: ['good', '✓', 'Delivered'],
  failed: ['bad', '✕', 'Failed'],
  cancelled: ['dim', '–', 'Cancelled'],
} as const
