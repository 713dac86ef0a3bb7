import { t } from '#console/language.ts'
import { Mark } from '#console/parts/basics.tsx'
import { MESSAGE_WORDS } from '#console/words-of-states.ts'
import type { MessageResource } from '#contracts/message.ts'

const TONES = { queued: 'wait', sending: 'wait', sent: 'good', delivered: 'good', failed: 'bad' } as const

/** The status of a message. What a pretend phone took was printed in a terminal, and not sent. */
export function MessageBadge({
  message: { status, pretend },
}: {
  message: Pick<MessageResource, 'status' | 'pretend'>
}) {
  if (pretend && (status === 'sent' || status === 'delivered'))
    return <Mark tone="wait" mark="printed" word={t('Only printed')} />
  return <Mark tone={TONES[status]} mark={status} word={MESSAGE_WORDS[status]} />
}
