import { useState } from 'preact/hooks'
import { t } from '#console/language.ts'
import { Fault, Field, Tick } from '#console/parts/basics.tsx'
import { Copyable, InClone } from '#console/parts/copyable.tsx'
import { NextStep } from '#console/parts/first-steps.tsx'
import {
  InTheFile,
  type Known,
  UntilKnown,
  useChange,
  useConfiguration,
  useJustDone,
  useSwitch,
} from '#console/parts/settings-config.tsx'

/** Who gets a text when something is wrong. */
export function Alarms() {
  const configuration = useConfiguration()
  const { data, reload } = configuration
  const { alarms, fixed } = data ?? {}
  const shared = alarms != null && { known: alarms, fixed: fixed ?? [], reload }
  return (
    <>
      <UntilKnown there={configuration} />
      {shared && (
        <>
          <section aria-label={t('Alarms')}>
            <Numbers {...shared} />
          </section>
          <Heartbeat {...shared} />
        </>
      )}
      <NextStep isDone={useJustDone(alarms && alarms.recipients.length > 0)} />
    </>
  )
}

function Numbers({ known: { recipients }, fixed, reload }: Known<'alarms'>) {
  const change = useChange(reload)
  const [number, setNumber] = useState('')
  const [isOpen, setOpen] = useSwitch(recipients.length > 0)
  const isFixed = fixed.includes('alarms.recipients')
  const remove = (indexes: readonly number[]) => change.send({ alarms: { remove: [...indexes] } })
  const turn = async (on: boolean) => {
    setOpen(on)
    const all = recipients.map(({ index }) => index)
    if (!on && all.length > 0 && !(await remove(all))) setOpen(true)
  }
  return (
    <form
      class="card"
      onSubmit={async event => {
        event.preventDefault()
        if (await change.send({ alarms: { add: [number] } })) setNumber('')
      }}
    >
      <p>
        {recipients.length === 0 ? (
          <>
            <strong>{t('Nobody gets a text when something is wrong with the gateway.')}</strong>{' '}
            {t('Its problems are on Home only.')}
          </>
        ) : (
          <strong>{t('The gateway texts these numbers when something is wrong with it.')}</strong>
        )}
      </p>
      {!isFixed && (
        <Tick label={t('Tell me when this box or its phone is in trouble')} checked={isOpen} onValue={turn} />
      )}
      {recipients.length > 0 && (
        <ul class="lines">
          {recipients.map(({ index, hint }) => (
            <li key={index} class="row apart">
              <span class="number">{hint}</span>
              {!isFixed && (
                <button type="button" disabled={change.busy} onClick={() => void remove([index])}>
                  {t('Remove')}
                  <span class="hidden"> {hint}</span>
                </button>
              )}
            </li>
          ))}
        </ul>
      )}
      {!isFixed && isOpen && (
        <>
          <Field
            label={t('Phone number')}
            type="tel"
            autoComplete="tel"
            required
            value={number}
            onValue={setNumber}
            placeholder={t('For example +14155550123')}
            issue={change.error?.issueOf('alarms.add')}
          />
          <div class="row">
            <button type="submit" disabled={change.busy}>
              {t('Add this number')}
            </button>
          </div>
        </>
      )}
      <Fault error={change.error} fields={['alarms.add']} />
      {recipients.length > 0 && (
        <>
          <p>
            {t('To test it, run this on the machine that Roost runs on.')} <InClone />
          </p>
          <Copyable text="roost alarm test" label={t('the command')} />
        </>
      )}
      <InTheFile section="alarms" name={isFixed && 'alarms.recipients'} />
    </form>
  )
}

/** The sign of life to a monitor. Its address may be a secret, so it is never shown. */
function Heartbeat({ known: { heartbeat }, fixed, reload }: Known<'alarms'>) {
  const change = useChange(reload)
  const [url, setUrl] = useState('')
  const [isOpen, setOpen] = useSwitch(heartbeat)
  const isFixed = fixed.includes('alarms.heartbeatUrl')
  const turn = async (on: boolean) => {
    setOpen(on)
    if (!on && heartbeat && !(await change.send({ alarms: { heartbeatUrl: null } }))) setOpen(true)
  }
  return (
    <form
      class="card"
      aria-label={t('Watched from outside')}
      onSubmit={async event => {
        event.preventDefault()
        if (await change.send({ alarms: { heartbeatUrl: url } })) setUrl('')
      }}
    >
      <p>
        <strong>
          {heartbeat
            ? t('A monitor outside is told each minute that all is well.')
            : t('Nobody outside notices if the gateway stops.')}
        </strong>{' '}
        {t('A dead machine sends no text: only a monitor elsewhere notices that its calls stop.')}
      </p>
      {!isFixed && (
        <>
          <Tick label={t('Call a monitor each minute while all is well')} checked={isOpen} onValue={turn} />
          {isOpen && (
            <>
              <Field
                label={t('Address of the monitor')}
                type="url"
                required
                value={url}
                onValue={setUrl}
                placeholder={t('For example https://hc-ping.com/…')}
                hint={
                  heartbeat
                    ? t('One is set. It may be a secret, so it is not shown. A new one takes its place.')
                    : t('That of a check of Healthchecks, or of a push monitor of Uptime Kuma.')
                }
                issue={change.error?.issueOf('alarms.heartbeatUrl')}
              />
              <div class="row">
                <button type="submit" disabled={change.busy}>
                  {t('Save the address')}
                </button>
              </div>
            </>
          )}
        </>
      )}
      <Fault error={change.error} fields={['alarms.heartbeatUrl']} />
      <InTheFile section="alarms" name={isFixed && 'alarms.heartbeat_url'} />
    </form>
  )
}
