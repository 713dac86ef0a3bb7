/** The result of a delivery: tone, sign, word. The words differ from those for the status of a text. */
import { t } from '#console/language.ts'
export const DELIVERY_MARKS = {
  pending: ['wait', 'queued', t('Waiting')],
  delivered: ['good', 'sent', t('Posted')],
  failed: ['bad', 'failed', t('Not posted')],
  cancelled: ['dim', 'none', t('Cancelled')],
} as const
