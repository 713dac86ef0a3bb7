/** The start page: whether texts reach people, as a sentence and as a picture, and what is wrong. */

import { useEffect, useState } from 'preact/hooks'
import { provenWords } from '#console/drill-words.ts'
import { t } from '#console/language.ts'
import { awaySince } from '#console/live-news.ts'
import { Fault, PageHead, useNow } from '#console/parts/basics.tsx'
import { FirstSteps, useFirstSteps } from '#console/parts/first-steps.tsx'
import { OnCallNow } from '#console/parts/on-call-now.tsx'
import { OpenAlerts } from '#console/parts/open-alerts.tsx'
import { Picture } from '#console/parts/picture.tsx'
import { ProblemRows } from '#console/parts/problem-rows.tsx'
import { Today } from '#console/parts/today.tsx'
import { untilThere } from '#console/parts/until-there.tsx'
import { type PhonesInShort, phonesInShort } from '#console/phones-in-short.ts'
import { lastArrival, type Reach as Reached, reachOf, sendersOf } from '#console/picture.ts'
import { linkTo } from '#console/route.ts'
import { may } from '#console/session-of-reader.ts'
import { clockWords, readersZone, spanWords } from '#console/time-words.ts'
import { waitingAlerts } from '#console/trouble.ts'
import { type Unfetched, unfetchedOf } from '#console/unfetched.ts'
import { useForecast } from '#console/use-forecast.ts'
import { useResource } from '#console/use-resource.ts'
import { canSend, isScheduled, leavesInMs, strandedWords, waitWords } from '#console/why-waits.ts'
import type { DayUsage } from '#contracts/day-usage.ts'
import type { DeviceListItem } from '#contracts/device.ts'
import type { StatusResource } from '#contracts/health.ts'
import type { MessageResource } from '#contracts/message.ts'
import type { WebhookResource } from '#contracts/webhook.ts'

type Texts = readonly MessageResource[]
/** Waiting texts that the page reads; with more it shows that there are more. */
const WAITING_MAX = 50

export function HomePage() {
  const devices = useResource<readonly DeviceListItem[]>('devices', ['device', 'message'])
  const status = useResource<StatusResource>('status', ['problem', 'device'])
  const texts = useResource<Texts>('sms?limit=50', ['message'])
  const steps = useFirstSteps(devices.data, texts.data)
  const phones = devices.data
  const now = useNow()
  const days = useDays(phones !== undefined)
  if (phones === undefined)
    return untilThere(t('Home'), [devices], <Answer answer={t('Not known now.')} tone="wait" />)
  const waiting = waitingAlerts.value
  const problems = status.data?.problems ?? []
  const inShort = phonesInShort(phones)
  const unfetched = unfetchedOf(texts.data ?? [], phones, now)
  const isUrgent = waiting.length > 0 && may('operator')
  return (
    <div class="home">
      <OpenAlerts texts={texts.data ?? []} />
      <Reach
        phones={phones}
        texts={texts.data ?? []}
        problems={problems}
        unfetched={unfetched}
        isAsking={isUrgent || steps?.isAsking === true}
      />
      <Fault error={status.error} retry={status.reload} />
      <Fault error={days.error} retry={days.reload} />
      {phones.length === 0 && <Stranded />}
      {steps !== null && may('owner') && <FirstSteps state={steps} isUrgent={isUrgent} />}
      {phones.length > 0 && (
        <Flow
          phones={phones}
          inShort={inShort}
          texts={texts.data ?? []}
          today={days.data?.at(-1)}
          problems={problems}
          unfetched={unfetched}
        />
      )}
      <ProblemRows problems={problems} offline={inShort.offline} waiting={waiting} />
      <div class="side">
        <OnCallNow />
        {days.data !== undefined && <Today days={days.data} />}
      </div>
    </div>
  )
}

/** The counts of each day. They come after the picture, because they take long on a slow processor. */
function useDays(isDrawn: boolean) {
  const [path, setPath] = useState<string | null>(null)
  useEffect(() => {
    if (isDrawn) setPath(`usage/days?${new URLSearchParams({ days: '30', timeZone: readersZone() })}`)
  }, [isDrawn])
  return useResource<readonly DayUsage[]>(path, ['message'])
}

interface ReachProps {
  readonly phones: readonly DeviceListItem[]
  readonly texts: Texts
  readonly problems: StatusResource['problems']
  readonly unfetched: Unfetched | null
  /** An alert or the first steps ask for something more important than a text. */
  readonly isAsking: boolean
}

function Answer({ answer, tone }: Pick<Reached, 'answer' | 'tone'>) {
  return (
    <>
      {t('Can I be reached?')} <span class={`whole ${tone}`}>{answer}</span>
    </>
  )
}

/** The largest line of the page, and the sentence below it. What was known before is no answer. */
function Reach({ phones, texts, problems, unfetched, isAsking }: ReachProps) {
  const since = awaySince.value
  const { answer, tone, sentence } = reachOf(phones, texts, { problems, unfetched })
  const last = lastArrival(texts)
  const now = useNow()
  const proven = provenWords(phones, now)
  return (
    <>
      <PageHead
        title={t('Home')}
        heading={
          since === null ? (
            <Answer answer={answer} tone={tone} />
          ) : (
            <Answer answer={t('Not known now.')} tone="wait" />
          )
        }
      >
        <a class={`button ${isAsking ? '' : 'primary'}`} href="#/texts/new">
          {t('Write a text')}
        </a>
      </PageHead>
      <p class="reach" role="status">
        {since === null
          ? sentence
          : t('At {time} the answer was: {answer}', { time: clockWords(since), answer })}
        {last !== null &&
          since === null &&
          ` ${t('The last text arrived {ago} ago, after {time}.', {
            ago: spanWords(now - Date.parse(last.at)),
            time: spanWords(last.tookMs),
          })}`}
        {proven !== null && since === null && ` ${proven}`}
      </p>
    </>
  )
}

interface FlowProps {
  readonly phones: readonly DeviceListItem[]
  readonly inShort: PhonesInShort<DeviceListItem>
  readonly texts: Texts
  readonly today: DayUsage | undefined
  readonly problems: StatusResource['problems']
  readonly unfetched: Unfetched | null
}

function Flow({ phones, inShort, texts, today, problems, unfetched }: FlowProps) {
  const now = useNow()
  const webhooks = useResource<readonly WebhookResource[]>('webhooks', ['webhook'])
  const queued = useResource<Texts>(`sms?status=queued&limit=${WAITING_MAX}`, ['message'])
  const waiting = (queued.data ?? []).filter(text => !isScheduled(text, now))
  const [newest] = waiting
  const forecast = useForecast(newest, phones)
  const leftMs = leavesInMs(forecast, now)
  const { senders, others } = sendersOf(webhooks.data ?? [], texts)
  const count = waiting.length
  const span = spanWords(leftMs ?? 0)
  const why = [
    newest !== undefined && `${unfetched?.words ?? waitWords({ ...newest, forecast }, phones, now)}.`,
    leftMs !== null && t('It leaves in about {span}.|The last leaves in about {span}.', { count, span }),
  ]
  return (
    <Picture
      senders={senders}
      otherSenders={others}
      waiting={{
        count,
        isMore: count > 0 && queued.nextCursor !== null,
        later: (queued.data?.length ?? 0) - count,
        why: why.filter(one => one !== false),
      }}
      phones={inShort}
      isCutOff={!phones.some(canSend)}
      today={today}
      problems={problems}
    />
  )
}

/** The texts that wait while there is no phone. */
function Stranded() {
  const { data, nextCursor } = useResource<Texts>(`sms?status=queued&limit=${WAITING_MAX}`, ['message'])
  if (data === undefined || data.length === 0) return null
  return (
    <div class="notice bad">
      <h2>{strandedWords(data.length, nextCursor !== null)}</h2>
      <p>{t('Add a phone to send what waits. A text is given up when its time is over.')}</p>
      <p class="row">
        <a href="#/devices/pair">{t('Add a phone')}</a>
        <a href={linkTo('texts', { cut: 'waiting' })}>{t('Show what waits')}</a>
      </p>
    </div>
  )
}
