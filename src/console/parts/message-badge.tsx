import { t } from '#console/language.ts'
import { Mark } from '#console/parts/basics.tsx'
import { MESSAGE_WORDS } from '#console/words-of-states.ts'
import type { MessageResource } from '#contracts/message.ts'

const TONES = { queued: 'wait', sending: 'wait', sent: 'good', delivered: 'good', failed: 'bad' } as const

interface MessageBadgeProps {
  readonly message: Pick<MessageResource, 'status' | 'pretend'>
  /** In a list, what went well has no colour, so that the rest stands out. */
  readonly isCalm?: boolean
}

/** The status of a message. What a pretend phone took was printed in a terminal, and not sent. */
export function MessageBadge({ message, isCalm = false }: MessageBadgeProps) {
  const { status, pretend } = message
  if (pretend && (status === 'sent' || status === 'delivered'))
    return <Mark tone="wait" mark="printed" word={t('Only printed')} />
  const tone = isCalm && TONES[status] === 'good' ? 'dim' : TONES[status]
  return <Mark tone={tone} mark={status} word={MESSAGE_WORDS[status]} />
}
