import { call } from '#console/api.ts'
import { isPretend, PRETEND_WORDS } from '#console/is-pretend.ts'
import { t, translated } from '#console/language.ts'
import { Empty, Fault, Loading, PageHead, When } from '#console/parts/basics.tsx'
import { Copyable, InClone } from '#console/parts/copyable.tsx'
import { DeviceForm } from '#console/parts/device-form.tsx'
import { DeviceGroups } from '#console/parts/device-groups.tsx'
import { DeviceBadge, DeviceLine } from '#console/parts/device-line.tsx'
import { LaterPage } from '#console/parts/later-page.tsx'
import { MessageLines } from '#console/parts/message-lines.tsx'
import { PhonePast } from '#console/parts/phone-past.tsx'
import { cancelTexts, RemovePhone } from '#console/parts/remove-phone.tsx'
import { T } from '#console/parts/t.tsx'
import { untilThere } from '#console/parts/until-there.tsx'
import { abilityWords, appWords, batteryWords, signalWords } from '#console/phone-facts.ts'
import { may } from '#console/session.ts'
import { dayStartWords } from '#console/time-words.ts'
import { useAction, useResource } from '#console/use-resource.ts'
import type { DeviceDetail, DeviceListItem } from '#contracts/device.ts'
import type { MessageResource } from '#contracts/message.ts'
import { PRETEND_PHONE_AGAIN } from '#contracts/pairing-address.ts'

export function DevicesPage() {
  const { data, isLoading, error, reload } = useResource<readonly DeviceListItem[]>('devices', [
    'device',
    'message',
  ])
  return (
    <>
      <PageHead title={t('Phones')}>
        <a class="button primary" href="#/devices/pair">
          {t('Add a phone')}
        </a>
      </PageHead>
      <Fault error={error} retry={reload} />
      {isLoading && <Loading />}
      {data?.length === 0 && (
        <Empty title={t('No phone is paired')} drawing="phone">
          <p>
            <T>Roost sends texts through Android phones with a SIM card. One is enough to begin with.</T>
          </p>
        </Empty>
      )}
      {data !== undefined && data.length > 0 && (
        <ul class="list phones">
          {data.map(device => (
            <DeviceLine key={device.deviceId} device={device} />
          ))}
        </ul>
      )}
      {data !== undefined && <DeviceGroups phones={data} />}
    </>
  )
}

const NO_QUERY = new URLSearchParams()

export function DevicePage({ id }: { id: string }) {
  const path = `devices/${encodeURIComponent(id)}`
  const device = useResource<DeviceDetail>(path, ['device', 'message'])
  const messages = useResource<readonly MessageResource[]>(`sms?deviceId=${id}&limit=20`, ['message'])
  const change = useAction()
  if (device.data === undefined) return untilThere(t('Phone'), [device])
  const { data } = device
  const dayStart = dayStartWords(Date.now())
  const patch = (json: object) =>
    change.run(async () => {
      await call('PATCH', path, json)
      device.reload()
    })
  const remove = (cancelled: readonly MessageResource[]) =>
    change.run(async () => {
      await cancelTexts(cancelled)
      await device.remove()
      location.hash = '#/devices'
    })
  return (
    <>
      <PageHead title={data.name}>
        {may('owner') && (
          <button type="button" disabled={change.busy} onClick={() => patch({ paused: !data.paused })}>
            {data.paused ? t('Resume') : t('Pause')}
          </button>
        )}
      </PageHead>
      {isPretend(data) && (
        <div class="notice wait">
          <p>
            <T>
              <strong>This is a pretend phone.</strong> {{ PRETEND_WORDS }} Remove it before you rely on
              Roost.
            </T>
          </p>
          {data.status === 'offline' && (
            <>
              <p>
                <T>
                  Its program does not run. To start it again, type this in the same folder. <InClone />
                </T>
              </p>
              <Copyable text={PRETEND_PHONE_AGAIN} label={t('the pretend phone’s command')} />
            </>
          )}
        </div>
      )}
      {data.trouble !== null && (
        <div class="notice bad">
          <p>{translated(data.trouble)}</p>
        </div>
      )}
      <Fault error={change.error ?? device.error} />
      <div class="grid">
        <section class="card" aria-label={t('State')}>
          <dl class="facts">
            <dt>{t('Status')}</dt>
            <dd>
              <DeviceBadge device={data} />
            </dd>
            <dt>{t('Last seen')}</dt>
            <dd>
              <When at={data.lastSeen} />
            </dd>
            <Reported name={t('Battery')} words={batteryWords(data)} />
            <Reported name={t('Signal')} words={signalWords(data.signal)} />
            <Reported name={t('Can also')} words={abilityWords(data)} />
            <dt>{t('Waiting')}</dt>
            <dd>{data.queueLength}</dd>
            <dt>{t('Sent since {time}', { time: dayStart })}</dt>
            <dd>{data.smsToday}</dd>
            <Reported
              name={t('SMS since {time}', { time: dayStart })}
              words={capWords(data.segmentsToday, data.smsPerDayMax)}
            />
            <dt>{t('SMS this month')}</dt>
            <dd>{capWords(data.smsThisMonth, data.smsPerMonthMax) ?? data.smsThisMonth}</dd>
            {data.sims.map(({ slot, carrier, countryCode, phoneNumber }) => (
              <Reported
                key={slot}
                name={t('SIM {slot}', { slot })}
                words={[carrier, countryCode, phoneNumber].filter(Boolean).join(', ')}
              />
            ))}
            <Reported name={t('App')} words={appWords(data)} />
            <dt>{t('Paired')}</dt>
            <dd>
              <When at={data.pairedAt} />
            </dd>
          </dl>
        </section>
        {may('owner') && <DeviceForm key={data.deviceId} device={data} busy={change.busy} save={patch} />}
      </div>
      {(data.kind === 'smsgate' || data.kind === 'modem') && may('owner') && (
        <LaterPage page={`${data.kind}-access`} id={id} query={NO_QUERY} />
      )}
      <PhonePast deviceId={data.deviceId} />
      <section aria-labelledby="last">
        <h2 id="last">{t('Last texts')}</h2>
        {messages.data?.length === 0 ? (
          <p class="dim">{t('It has sent nothing yet.')}</p>
        ) : (
          <MessageLines messages={messages.data ?? []} />
        )}
      </section>
      {may('owner') && <RemovePhone phone={data} onRemove={cancelled => void remove(cancelled)} />}
    </>
  )
}

/** `80 of 100`; null: there is no cap. */
function capWords(used: number, max: number | null): string | null {
  return max === null ? null : t('{used} of {max}', { used, max })
}

/** A fact in the list of facts. Nothing if the phone does not report it. */
function Reported({ name, words }: { name: string; words: string | null }) {
  if (words === null || words === '') return null
  return (
    <>
      <dt>{name}</dt>
      <dd>{words}</dd>
    </>
  )
}
