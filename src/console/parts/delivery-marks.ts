/** The result of a delivery: tone, sign, word. The words differ from those for the status of a text. */
import { t } from '#console/language.ts'
export const DELIVERY_MARKS = {
  pending: ['wait', '◌', t('Waiting')],
  delivered: ['good', '✓', t('Posted')],
  failed: ['bad', '✕', t('Not posted')],
  cancelled: ['dim', '–', t('Cancelled')],
} as const
