import { t } from '#console/language.ts'
import { Dotted } from '#console/parts/basics.tsx'
import { smsWords } from '#console/words-of-states.ts'
import { segmentsOf } from '#domain/message/segments.ts'

/** A text as it looks on a phone. */
export function Bubble({ text, side = 'out' }: { text: string; side?: 'out' | 'in' }) {
  return <p class={`bubble ${side}`}>{text}</p>
}

export function SegmentCount({ text }: { text: string }) {
  const { segments, encoding } = segmentsOf(text)
  const odd = encoding === 'UCS-2' ? oddCharacters(text) : []
  return (
    <p
      class="hint"
      role="status"
      title={t('Segments: {segments}. Encoding: {encoding}.', { segments, encoding })}
    >
      <Dotted
        parts={[
          t('1 character|{count} characters', { count: text.length }),
          ...(text === '' ? [] : [smsWords(segments)]),
          ...(odd.length === 0 ? [] : [oddWords(odd)]),
        ]}
      />
    </p>
  )
}

function oddWords(odd: readonly string[]): string {
  const signs = odd.join(' ')
  return t('the SMS alphabet (GSM-7) lacks signs: {signs}. So an SMS holds 70 characters, not 160', { signs })
}

/** The first characters of a text that are not in the GSM-7 alphabet. */
function oddCharacters(text: string): string[] {
  const found = new Set<string>()
  for (const one of text) if (segmentsOf(one).encoding === 'UCS-2') found.add(one)
  return [...found].slice(0, 5)
}
