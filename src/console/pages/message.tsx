import { call } from '#console/api.ts'
import { curlOf } from '#console/curl-of.ts'
import { t, translated } from '#console/language.ts'
import { Fault, PageHead, useNow, When } from '#console/parts/basics.tsx'
import { Bubble } from '#console/parts/bubble.tsx'
import { Copyable } from '#console/parts/copyable.tsx'
import { NextStep } from '#console/parts/first-steps.tsx'
import { LaterPage } from '#console/parts/later-page.tsx'
import { MessageBadge } from '#console/parts/message-badge.tsx'
import { PhoneNumber } from '#console/parts/phone-number.tsx'
import { T } from '#console/parts/t.tsx'
import { TextLine } from '#console/parts/text-line.tsx'
import { untilThere } from '#console/parts/until-there.tsx'
import { linkTo } from '#console/route.ts'
import { may } from '#console/session-of-reader.ts'
import { useForecast } from '#console/use-forecast.ts'
import { useWebhookNames } from '#console/use-names.ts'
import { usePersonNames } from '#console/use-person-names.ts'
import { useAction, useResource } from '#console/use-resource.ts'
import { canSend, forecastWords, stateWords, waitWords, whyTextWaits } from '#console/why-waits.ts'
import { KIND_WORDS, remedyFor, smsWords } from '#console/words-of-states.ts'
import type { DeviceListItem } from '#contracts/device.ts'
import type { ForecastResource, MessageResource } from '#contracts/message.ts'
import type { DeliveryResource } from '#contracts/notification.ts'

const NO_QUERY = new URLSearchParams()

/** One text: its content, its status and when that changed. */
export function MessagePage({ id, wasJustWritten = false }: { id: string; wasJustWritten?: boolean }) {
  const path = `sms/${encodeURIComponent(id)}`
  const resource = useResource<MessageResource>(path, ['message'])
  const devices = useResource<readonly DeviceListItem[]>('devices', ['device'])
  const ofIt = may('owner') ? `notifications/deliveries?messageId=${encodeURIComponent(id)}` : null
  const deliveries = useResource<readonly DeliveryResource[]>(ofIt, ['delivery'])
  const nameOf = useWebhookNames([resource.data?.webhookId ?? null])
  const person = usePersonNames(true)(resource.data?.phoneNumber ?? null)
  const cancel = useAction()
  const message = resource.data
  const forecast = useForecast(message, devices.data)
  if (message === undefined) return untilThere(t('Message'), [resource])
  const phoneName = (id: string) => devices.data?.find(({ deviceId }) => deviceId === id)?.name ?? null
  const own = devices.data?.find(({ deviceId }) => deviceId === message.deviceId)
  const phone = own?.name ?? null
  const { phoneNumber, message: text, kind } = message
  const again = againLink(message)
  const isWaiting = message.status === 'queued' && may('operator')
  // Only a text that is cancelled cannot be sent twice.
  const canPassOn =
    isWaiting &&
    kind === 'sms' &&
    message.deviceId !== null &&
    devices.data?.some(one => one.deviceId !== message.deviceId && canSend(one)) === true
  const onCancel = (then: () => void) =>
    void cancel.run(async () => {
      await call('DELETE', path)
      then()
    })
  return (
    <>
      <PageHead
        title={t('To {number}', { number: person ?? phoneNumber ?? t('a number that was removed') })}
        heading={person === null && phoneNumber !== null && <ToNumber number={phoneNumber} />}
      >
        <MessageBadge message={message} />
      </PageHead>
      <Fault error={cancel.error} />
      {message.status === 'queued' && devices.data !== undefined && (
        <WhyItWaits message={message} phones={devices.data} forecast={forecast} />
      )}
      {message.pretend && message.sentAt !== null && (
        <div class="notice wait">
          <p>
            <T>
              <strong>A pretend phone took this text.</strong> It printed the text in its terminal. Nobody
              received it.
            </T>
          </p>
        </div>
      )}
      {wasJustWritten && (
        <NextStep
          isDone={message.status === 'sent' || message.status === 'delivered'}
          known={{ texts: [message] }}
        />
      )}
      {message.failure !== null && (
        <div class="notice bad">
          <h2>{translated(message.failure.message)}</h2>
          <p>
            {remedyFor(message.failure.code)} {own !== undefined && nowWords(own)}
          </p>
        </div>
      )}
      <section class="life" aria-label={t('What happened')}>
        <Bubble text={text ?? t('This text was removed: its retention time is over.')} />
        <TextLine message={message} nameOf={phoneName} forecast={forecast} />
      </section>
      <Details
        message={message}
        isNamed={person !== null}
        phoneName={devices.data === undefined ? '…' : phone}
        webhookName={nameOf(message.webhookId)}
      />
      {deliveries.data !== undefined && deliveries.data.length > 0 && (
        <LaterPage page="deliveries-of" id={id} query={NO_QUERY} />
      )}
      <p class="row">
        {isWaiting && (
          <button
            type="button"
            class="danger"
            disabled={cancel.busy}
            onClick={() => onCancel(resource.reload)}
          >
            {t('Cancel this text')}
          </button>
        )}
        {again !== null && canPassOn && (
          <button
            type="button"
            disabled={cancel.busy}
            onClick={() => onCancel(() => void location.assign(again))}
          >
            {t('Cancel, and send by another phone')}
          </button>
        )}
        {again !== null && !isOpen(message) && (
          <a class="button" href={again}>
            {t('Send again')}
          </a>
        )}
      </p>
      {phoneNumber !== null && text !== null && kind !== '2fa' && may('owner') && (
        <details>
          <summary>{t('Send this text from a script')}</summary>
          <p>
            <T>
              Make a key in <a href="#/settings/keys">Settings</a>, and put it in the place of YOUR_KEY.
            </T>
          </p>
          <Copyable text={curlOf('YOUR_KEY', phoneNumber, text)} label={t('the command')} />
        </details>
      )}
    </>
  )
}

/** The address of a form with this text. Null: it is a code, or it was removed. */
function againLink({ phoneNumber, message: text, kind }: MessageResource): string | null {
  if (phoneNumber === null || text === null || kind === '2fa') return null
  return linkTo('texts/new', { to: phoneNumber, text })
}

function ToNumber({ number }: { number: string }) {
  return (
    <T>
      To <PhoneNumber number={number} />
    </T>
  )
}

/** Whether the text has not ended: one more would be sent twice. */
function isOpen({ status }: MessageResource): boolean {
  return status === 'queued' || status === 'sending'
}

/** What is true of the phone of a failed text now. */
function nowWords(phone: DeviceListItem): string {
  return canSend(phone) ? t('{name} can send now.', { name: phone.name }) : `${stateWords(phone)}.`
}

interface WhyItWaitsProps {
  readonly message: MessageResource
  readonly phones: readonly DeviceListItem[]
  readonly forecast: ForecastResource | undefined
}

function WhyItWaits({ message, phones, forecast }: WhyItWaitsProps) {
  const now = useNow()
  const text = { ...message, forecast }
  const waiting = whyTextWaits(text, phones, now)
  const name = phones.find(({ deviceId }) => deviceId === forecast?.deviceId)?.name
  return (
    <div class="notice wait" role="status">
      <p>
        <strong>{waitWords(text, phones, now)}.</strong>{' '}
        {waiting?.fix ?? forecastWords(forecast, name ?? t('its phone'), now)}{' '}
        {waiting !== null && (
          <T>
            The text is given up <When at={message.expiresAt} />.
          </T>
        )}
      </p>
      {waiting !== null && <a href={waiting.href}>{waiting.action}</a>}
    </div>
  )
}

interface DetailsProps {
  readonly message: MessageResource
  /** The heading has the name of a person in the place of the number. */
  readonly isNamed: boolean
  /** Null: the phone was removed. */
  readonly phoneName: string | null
  readonly webhookName: string | null
}

function Details({ message, isNamed, phoneName, webhookName }: DetailsProps) {
  const isWaiting = isOpen(message)
  return (
    <section class="about-text">
      <h2>{t('Details')}</h2>
      <dl class="facts">
        {isNamed && (
          <>
            <dt>{t('Phone number')}</dt>
            <dd>
              <PhoneNumber number={message.phoneNumber ?? ''} />
            </dd>
          </>
        )}
        <dt>{t('Kind')}</dt>
        <dd>{KIND_WORDS[message.kind]}</dd>
        {message.webhookId !== null && (
          <>
            <dt>{t('Webhook')}</dt>
            <dd>
              <a href={`#/webhooks/${message.webhookId}`}>{webhookName}</a>
              {message.guess && (
                <p class="hint">
                  <T>
                    Roost does not know this sender’s format, so it chose the words itself.{' '}
                    <a href={`#/webhooks/${message.webhookId}`}>Say how it reads</a>
                  </T>
                </p>
              )}
            </dd>
          </>
        )}
        <dt>{t('Length')}</dt>
        <dd>
          <span
            title={t('Segments: {segments}. Encoding: {encoding}.', {
              segments: message.segments,
              encoding: message.encoding,
            })}
          >
            {smsWords(message.segments)}
          </span>
        </dd>
        <dt>{t('Phone')}</dt>
        <dd>
          {message.deviceId === null && (isWaiting ? t('waits for one') : t('none'))}
          {message.deviceId !== null &&
            (phoneName === null ? (
              message.pretend ? (
                t('a pretend phone that was removed')
              ) : (
                t('a phone that was removed')
              )
            ) : (
              <a href={`#/devices/${message.deviceId}`}>{phoneName}</a>
            ))}
        </dd>
        {message.sendAt !== null && (
          <>
            <dt>{t('Scheduled for')}</dt>
            <dd>
              <When at={message.sendAt} />
            </dd>
          </>
        )}
        {isWaiting && (
          <>
            <dt>{t('Gives up')}</dt>
            <dd>
              <When at={message.expiresAt} />
            </dd>
          </>
        )}
        {message.failure !== null && (
          <>
            <dt>{t('Reason')}</dt>
            <dd class="mono">{message.failure.code}</dd>
          </>
        )}
        <dt>{t('Id')}</dt>
        <dd class="mono">{message.messageId}</dd>
      </dl>
    </section>
  )
}
