import { smsWords } from '#console/words.ts'
import { segmentsOf } from '#domain/message/segments.ts'

/** A text as it looks on a phone. */
export function Bubble({ text, side = 'out' }: { text: string; side?: 'out' | 'in' }) {
  return <p class={`bubble ${side}`}>{text}</p>
}

export function SegmentCount({ text }: { text: string }) {
  const { segments, encoding } = segmentsOf(text)
  const odd = encoding === 'UCS-2' ? oddCharacters(text) : []
  return (
    <p class="hint" role="status" title={`Segments: ${segments}. Encoding: ${encoding}.`}>
      {text.length} characters{text !== '' && ` · ${smsWords(segments)}`}
      {odd.length > 0 &&
        ` · the SMS alphabet (GSM-7) lacks signs: ${odd.join(' ')}. So an SMS holds 70 characters, not 160`}
    </p>
  )
}

/** The first characters of a text that are not in the GSM-7 alphabet. */
function oddCharacters(text: string): string[] {
  const found = new Set<string>()
  for (const one of text) if (segmentsOf(one).encoding === 'UCS-2') found.add(one)
  return [...found].slice(0, 5)
}
