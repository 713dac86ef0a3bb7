import { t } from '#console/language.ts'
import { useNow } from '#console/parts/basics.tsx'
import { type PhoneNames, type Station, stationsOf } from '#console/text-line.ts'
import { exactClockWords, exactWords } from '#console/time-words.ts'
import type { ForecastResource, MessageResource } from '#contracts/message.ts'

interface TextLineProps {
  readonly message: MessageResource
  readonly nameOf: PhoneNames
  readonly forecast: ForecastResource | undefined
}

/** What happened to a text, as a line with stations; below each other where there is little room. */
export function TextLine({ message, nameOf, forecast }: TextLineProps) {
  const isOpen = message.status === 'queued' || message.status === 'sending'
  const now = useNow(isOpen ? 1_000 : 60_000)
  const stations = stationsOf(message, { nameOf, forecast, now })
  return (
    <ol class="text-line">
      {stations.map((station, index) => (
        <Stop key={index} station={station} before={stations[index - 1]} />
      ))}
    </ol>
  )
}

function Stop({ station, before }: { station: Station; before: Station | undefined }) {
  const { word, phone, at, tone, isAhead, way } = station
  const isSameDay = before?.at != null && at !== null && isOnSameDay(before.at, at)
  const time = at === null ? '' : isSameDay ? exactClockWords(at) : exactWords(at)
  return (
    <li
      class={`${tone} ${isAhead ? 'ahead' : ''}`}
      style={{ flexGrow: way?.weight ?? 0 }}
      data-way={way?.tone}
    >
      <strong>{word}</strong>
      {phone !== null && (
        <span class="on" dir="auto">
          {phone}
        </span>
      )}
      {at !== null && (
        <time dateTime={at} title={exactWords(at)} class="dim">
          {isAhead ? t('about {time}', { time }) : time}
        </time>
      )}
      {way !== null && way.words !== '' && <span class="way">{way.words}</span>}
    </li>
  )
}

function isOnSameDay(one: string, other: string): boolean {
  return new Date(one).toDateString() === new Date(other).toDateString()
}
