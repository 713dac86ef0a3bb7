import type { ComponentChildren } from 'preact'
import { call } from '#console/api.ts'
import { isPretend, PRETEND_WORDS } from '#console/is-pretend.ts'
import { t, translated } from '#console/language.ts'
import { Fault, PageHead, When } from '#console/parts/basics.tsx'
import { Copyable, InClone } from '#console/parts/copyable.tsx'
import { DeviceAccess, RingerAccess } from '#console/parts/device-access.tsx'
import { DeviceForm } from '#console/parts/device-form.tsx'
import { DeviceBadge } from '#console/parts/device-line.tsx'
import { Drills } from '#console/parts/drills.tsx'
import { MessageLines } from '#console/parts/message-lines.tsx'
import { PhonePast } from '#console/parts/phone-past.tsx'
import { ProblemRows } from '#console/parts/problem-rows.tsx'
import { cancelTexts, RemovePhone } from '#console/parts/remove-phone.tsx'
import { T } from '#console/parts/t.tsx'
import { untilThere } from '#console/parts/until-there.tsx'
import { abilityWords, appWords, batteryWords, signalWords } from '#console/phone-facts.ts'
import { linkTo } from '#console/route.ts'
import { may } from '#console/session-of-reader.ts'
import { dayStartWords } from '#console/time-words.ts'
import { useAction, useResource } from '#console/use-resource.ts'
import { canSend, fixOf, stateWords } from '#console/why-waits.ts'
import type { DeviceDetail } from '#contracts/device.ts'
import type { StatusResource } from '#contracts/health.ts'
import type { MessageResource } from '#contracts/message.ts'
import { PRETEND_PHONE_AGAIN } from '#contracts/pairing-address.ts'

const LAST_TEXTS = 8

/** One phone: what is wrong, what it does and did, how it is set, what it is, and last how to remove it. */
export function DevicePage({ id }: { id: string }) {
  const path = `devices/${encodeURIComponent(id)}`
  const device = useResource<DeviceDetail>(path, ['device', 'message'])
  const change = useAction()
  if (device.data === undefined) return untilThere(t('Phone'), [device])
  const { data } = device
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
      <Trouble phone={data} />
      <Fault error={change.error ?? device.error} />
      <div class="phone">
        <Doing phone={data} />
        <PhonePast phone={data} />
        <LastTexts id={id} />
      </div>
      <div class="grid">
        {may('owner') && (
          <section aria-labelledby="settings">
            <h2 id="settings">{t('Name and limits')}</h2>
            <DeviceForm key={data.deviceId} device={data} busy={change.busy} save={patch} />
          </section>
        )}
        <Facts phone={data} />
        {!isPretend(data) && <Drills phone={data} save={patch} />}
      </div>
      {(data.kind === 'smsgate' || data.kind === 'modem') && may('owner') && (
        <DeviceAccess id={id} kind={data.kind} />
      )}
      {data.kind === 'smsgate' && may('owner') && <RingerAccess id={id} calls={data.calls} />}
      {may('owner') && (
        <div class="removal">
          <RemovePhone phone={data} onRemove={cancelled => void remove(cancelled)} />
        </div>
      )}
    </>
  )
}

/** What is wrong with the phone. */
function Trouble({ phone }: { phone: DeviceDetail }) {
  const status = useResource<StatusResource>('status', ['problem', 'device'])
  const problems = (status.data?.problems ?? []).filter(({ subject }) => subject === phone.deviceId)
  return (
    <>
      {isPretend(phone) && <PretendNotice phone={phone} />}
      <ProblemRows problems={problems} here={linkTo(`devices/${phone.deviceId}`)} />
      {problems.length === 0 && phone.trouble !== null && (
        <div class="notice bad">
          <p>{translated(phone.trouble)}</p>
        </div>
      )}
      {problems.length === 0 && phone.trouble === null && !canSend(phone) && (
        <div class="notice wait" role="status">
          <p>
            <strong>{stateWords(phone)}.</strong> {fixOf(phone)}
          </p>
        </div>
      )}
    </>
  )
}

function PretendNotice({ phone }: { phone: DeviceDetail }) {
  return (
    <div class="notice wait">
      <p>
        <T>
          <strong>This is a pretend phone.</strong> {{ PRETEND_WORDS }} Remove it before you rely on Roost.
        </T>
      </p>
      {phone.status === 'offline' && (
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
  )
}

/** Whether the phone sends, and how much. */
function Doing({ phone }: { phone: DeviceDetail }) {
  const { queueLength, smsToday, segmentsToday, smsPerDayMax, smsThisMonth, smsPerMonthMax } = phone
  const dayStart = dayStartWords(Date.now())
  return (
    <dl class="figures">
      <Figure name={t('Status')}>
        <DeviceBadge device={phone} />
        {phone.status === 'offline' && (
          <span class="dim">
            <T>
              last seen <When at={phone.lastSeen} />
            </T>
          </span>
        )}
      </Figure>
      <Figure name={t('Waiting')}>
        <strong>{queueLength}</strong>
      </Figure>
      <Figure name={t('Sent since {time}', { time: dayStart })}>
        <strong>{smsToday}</strong>
        {smsPerDayMax !== null && (
          <span class="dim">{t('{used} of {max} SMS', { used: segmentsToday, max: smsPerDayMax })}</span>
        )}
      </Figure>
      <Figure name={t('SMS this month')}>
        <strong>{smsThisMonth}</strong>
        {smsPerMonthMax !== null && <span class="dim">{t('of {max}', { max: smsPerMonthMax })}</span>}
      </Figure>
    </dl>
  )
}

function Figure({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

/** The last texts of a phone. The page of messages has all of them. */
function LastTexts({ id }: { id: string }) {
  const path = `sms?deviceId=${id}&limit=${LAST_TEXTS}`
  const { data, nextCursor } = useResource<readonly MessageResource[]>(path, ['message'])
  return (
    <section aria-labelledby="last">
      <h2 id="last">{t('Last texts')}</h2>
      {data?.length === 0 ? (
        <p class="dim">{t('It has sent nothing yet.')}</p>
      ) : (
        <MessageLines messages={data ?? []} />
      )}
      {nextCursor !== null && <a href={linkTo('texts', { deviceId: id })}>{t('Show all its texts')}</a>}
    </section>
  )
}

function Facts({ phone }: { phone: DeviceDetail }) {
  return (
    <section aria-labelledby="details">
      <h2 id="details">{t('Details')}</h2>
      <dl class="facts">
        <dt>{t('Last seen')}</dt>
        <dd>
          <When at={phone.lastSeen} />
        </dd>
        <Reported name={t('Battery')} words={batteryWords(phone)} />
        <Reported name={t('Signal')} words={signalWords(phone)} />
        <Reported name={t('Can also')} words={abilityWords(phone)} />
        {phone.sims.map(({ slot, carrier, countryCode, phoneNumber }) => (
          <Reported
            key={slot}
            name={t('SIM {slot}', { slot })}
            words={[carrier, countryCode, phoneNumber].filter(Boolean).join(', ')}
          />
        ))}
        <Reported name={t('App')} words={appWords(phone)} />
        <dt>{t('Paired')}</dt>
        <dd>
          <When at={phone.pairedAt} />
        </dd>
      </dl>
    </section>
  )
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
