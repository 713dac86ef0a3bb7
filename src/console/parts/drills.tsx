import { useState } from 'preact/hooks'
import { call } from '#console/api.ts'
import { moreOf, outcomeOf, TEXTS_A_MONTH } from '#console/drill-words.ts'
import { isPretend } from '#console/is-pretend.ts'
import { t } from '#console/language.ts'
import { Choice, Fault, Field, Mark, When } from '#console/parts/basics.tsx'
import { T } from '#console/parts/t.tsx'
import { linkTo } from '#console/route.ts'
import { may } from '#console/session-of-reader.ts'
import { useAction, useResource } from '#console/use-resource.ts'
import type { DeviceDetail, DeviceListItem } from '#contracts/device.ts'
import type { DrillPeriod, DrillResource } from '#contracts/drill.ts'

/** So many of the last drills are shown. */
const SHOWN = 8
/** An hour at which people are awake: the other phone may be a person's. */
const HOUR = '10:00'
const SIGNS = { good: 'sent', bad: 'failed', wait: 'queued', dim: 'off' } as const

interface DrillsProps {
  readonly phone: DeviceDetail
  readonly save: (json: object) => Promise<boolean>
}

/** Whether texts of the phone really leave and arrive: what proved it, *Prove it now*, and its plan. */
export function Drills({ phone, save }: DrillsProps) {
  const path = `devices/${phone.deviceId}/drills`
  const { data = [], reload } = useResource<readonly DrillResource[]>(path, ['device'])
  const phones = useResource<readonly DeviceListItem[]>('devices', ['device'])
  const start = useAction()
  const isUnderWay = data.some(({ outcome }) => outcome === null)
  const prove = () =>
    start.run(async () => {
      await call('POST', path)
      reload()
    })
  const { sends, receives } = phone.proven
  const next = sends === null ? undefined : phones.data?.find(one => isUnproven(one))
  return (
    <section aria-labelledby="drills">
      <div class="row apart">
        <h2 id="drills">{t('Does it really work?')}</h2>
        {may('operator') && (
          <button type="button" disabled={start.busy || isUnderWay} onClick={() => void prove()}>
            {isUnderWay ? t('Under way') : t('Prove it now')}
          </button>
        )}
      </div>
      <p class="hint">
        {t('A text goes from this phone to another one of yours. Only if it comes back, all of it works.')}
      </p>
      <Fault error={start.error} />
      <dl class="facts">
        <dt>{t('Sends')}</dt>
        <dd>
          <When at={sends} />
        </dd>
        <dt>{t('Receives')}</dt>
        <dd>
          <When at={receives} />
        </dd>
      </dl>
      {next !== undefined && (
        <p role="status">
          <T>
            Next: let <a href={linkTo(`devices/${next.deviceId}`)}>{{ name: next.name }}</a> prove it, too.
          </T>
        </p>
      )}
      <ul class="lines">
        {data.slice(0, SHOWN).map(drill => (
          <DrillLine key={drill.id} drill={drill} phones={phones.data ?? []} />
        ))}
      </ul>
      {may('owner') && <PlanForm key={phone.deviceId} phone={phone} save={save} />}
    </section>
  )
}

function isUnproven(phone: DeviceListItem): boolean {
  return phone.proven.sends === null && !isPretend(phone)
}

function DrillLine({ drill, phones }: { drill: DrillResource; phones: readonly DeviceListItem[] }) {
  const [word, tone] = outcomeOf(drill)
  const to = phones.find(({ deviceId }) => deviceId === drill.toDeviceId)?.name
  return (
    <li class="row">
      <Mark tone={tone} mark={SIGNS[tone]} word={word} />
      <span class="dim">
        <When at={drill.at} /> {to !== undefined && t('to {name}', { name: to })} {moreOf(drill)}
      </span>
    </li>
  )
}

/** When drills run by themselves, what that costs, and the number of the phone. */
function PlanForm({ phone, save }: DrillsProps) {
  const [every, setEvery] = useState<DrillPeriod | ''>(phone.drill?.every ?? '')
  const [at, setAt] = useState(phone.drill?.at ?? HOUR)
  const [number, setNumber] = useState(phone.phoneNumber ?? '')
  const [isSaved, setSaved] = useState(false)
  const known = phone.sims.find(({ phoneNumber }) => phoneNumber !== null)?.phoneNumber
  const { to = null, simSlot = null } = phone.drill ?? {}
  const cost = every === '' ? 0 : TEXTS_A_MONTH[every]
  return (
    <form
      class="card"
      onSubmit={event => {
        event.preventDefault()
        const drill = every === '' ? null : { every, at, to, simSlot }
        void save({ drill, phoneNumber: number.trim() === '' ? null : number }).then(setSaved)
      }}
    >
      <Choice
        label={t('Prove it by itself')}
        value={every}
        onValue={value => setEvery(value as DrillPeriod | '')}
        options={[
          ['', t('Never')],
          ['day', t('Every day')],
          ['week', t('Every week')],
          ['month', t('Every month')],
        ]}
      />
      {every !== '' && (
        <Field
          label={t('At')}
          type="time"
          required
          value={at}
          onValue={setAt}
          hint={t(
            'In the time zone of the gateway. It costs 1 text a month.|' +
              'In the time zone of the gateway. It costs up to {count} texts a month.',
            { count: cost },
          )}
        />
      )}
      {every === 'month' && (
        <p class="hint">
          {t('A text each month keeps many a prepaid SIM alive. Some tariffs ask for more: read yours.')}
        </p>
      )}
      <Field
        label={t('Number of this phone')}
        type="tel"
        value={number}
        onValue={setNumber}
        hint={
          known == null
            ? t('Its SIM does not say its number. Other phones need it to text this one.')
            : t('Empty: {number}, as its SIM says.', { number: known })
        }
      />
      <div class="row">
        <button type="submit">{t('Save the plan')}</button>
        <span role="status">{isSaved && t('Saved')}</span>
      </div>
    </form>
  )
}
