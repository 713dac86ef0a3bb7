import { useState } from 'preact/hooks'
import { call, urlOf } from '#console/api.ts'
import { t } from '#console/language.ts'
import { Dotted, Fault, Field, Loading, NewTab } from '#console/parts/basics.tsx'
import { Copyable } from '#console/parts/copyable.tsx'
import { T } from '#console/parts/t.tsx'
import { useAction, useResource } from '#console/use-resource.ts'
import type { DeviceListItem } from '#contracts/device.ts'
import type { ModemItem } from '#contracts/modem.ts'

/** Lists the modems of the gateway's machine, each with a form that makes it a phone. */
export function AddModem({ onAdded }: { onAdded: () => void }) {
  const { data, error, isLoading, reload } = useResource<readonly ModemItem[]>('devices/modems', [])
  return (
    <>
      <p>
        <T>
          A stick, a HAT or a built-in modem with a SIM card in the gateway’s machine is a phone without app
          and battery: <NewTab href={urlOf('handbook#a-modem')}>which ones work</NewTab>
        </T>
      </p>
      <Fault error={error} retry={reload} />
      {isLoading && <Loading />}
      {data?.length === 0 && <NoModem />}
      {data?.map(modem => (
        <ModemForm key={modem.imei} modem={modem} onAdded={onAdded} />
      ))}
      <p>
        <button type="button" onClick={reload}>
          {t('Look again')}
        </button>
      </p>
    </>
  )
}

function NoModem() {
  return (
    <section class="card">
      <h2>{t('No modem is seen')}</h2>
      <ol>
        <li>
          {t('ModemManager must run on the gateway’s machine. On Debian and its relatives:')}
          <Copyable text="sudo apt install modemmanager" label={t('the command')} />
        </li>
        <li>{t('Put in the SIM, plug in the modem, and wait half a minute.')}</li>
        <li>{t('Sticks with HiLink and LTE routers are no modems, and are never seen.')}</li>
        <li>
          {t('This command says what is in the way:')}
          <Copyable text="sudo roost doctor" label={t('the command')} />
        </li>
      </ol>
    </section>
  )
}

function stateWords({ state, locked }: ModemItem): string {
  if (locked) return t('its SIM waits for the PIN')
  if (state === 'failed') return t('out of order, or without a SIM')
  if (state === 'searching' || state === 'enabled') return t('looks for its network')
  return ['registered', 'connecting', 'connected', 'disconnecting'].includes(state)
    ? t('in its network')
    : t('switched off')
}

function ModemForm({ modem, onAdded }: { modem: ModemItem; onAdded: () => void }) {
  const [pin, setPin] = useState('')
  const [name, setName] = useState('')
  const { busy, isRunning, error, run } = useAction()
  const { imei, model, operator, phoneNumber, signal, locked } = modem
  const add = () =>
    run(async () => {
      const more = { ...(pin !== '' && { pin }), ...(name.trim() !== '' && { name: name.trim() }) }
      await call<DeviceListItem>('POST', 'devices', { kind: 'modem', imei, ...more })
      onAdded()
    })
  const strength = signal === null ? null : t('signal {percent} %', { percent: signal })
  const facts = [stateWords(modem), operator, strength, phoneNumber, `IMEI ${imei}`]
  return (
    <form
      class="card"
      onSubmit={event => {
        event.preventDefault()
        void add()
      }}
    >
      <h2 dir="auto">{model || t('A modem')}</h2>
      <p>
        <Dotted parts={facts.filter(fact => fact !== null)} />
      </p>
      {locked && (
        <Field
          label={t('PIN of the SIM')}
          type="password"
          autoComplete="off"
          required
          value={pin}
          onValue={setPin}
          hint={t('A wrong PIN is tried only once, because three wrong ones block a SIM.')}
          issue={error?.issueOf('pin')}
        />
      )}
      <Field
        label={t('Name (optional)')}
        value={name}
        onValue={setName}
        placeholder={model}
        issue={error?.issueOf('name')}
      />
      <Fault error={error} fields={locked ? ['pin', 'name'] : ['name']} />
      <button type="submit" class="primary" disabled={busy}>
        {isRunning ? t('Trying the modem…') : t('Add this modem')}
      </button>
    </form>
  )
}
