import { useState } from 'preact/hooks'
import { call } from '#console/api.ts'
import { t } from '#console/language.ts'
import { Fault, Field } from '#console/parts/basics.tsx'
import { useAction } from '#console/use-resource.ts'

type Access = Readonly<Record<'url' | 'username' | 'password' | 'pin', string>>

const NOTHING: Access = { url: '', username: '', password: '', pin: '' }

interface DeviceAccessProps {
  readonly id: string
  readonly kind: 'smsgate' | 'modem'
}

/** Changes how the gateway reaches a phone that it calls. What a person leaves empty does not change. */
export function DeviceAccess({ id, kind }: DeviceAccessProps) {
  const [access, setAccess] = useState(NOTHING)
  const [isSaved, setSaved] = useState(false)
  const { busy, error, run } = useAction()
  const change = Object.fromEntries(Object.entries(access).filter(([, value]) => value !== ''))
  const fieldOf = (name: keyof Access) => ({
    value: access[name],
    onValue: (value: string) => setAccess({ ...access, [name]: value }),
    issue: error?.issueOf(name),
  })
  return (
    <details>
      <summary>
        {kind === 'modem' ? t('The PIN of its SIM has changed') : t('Its address or password has changed')}
      </summary>
      <form
        class="card"
        onSubmit={event => {
          event.preventDefault()
          void run(() => call('PATCH', `devices/${encodeURIComponent(id)}`, change)).then(setSaved)
        }}
      >
        {kind === 'modem' ? (
          <Field
            label={t('PIN of the SIM')}
            type="password"
            autoComplete="off"
            hint={t('A wrong PIN is tried only once, because three wrong ones block a SIM.')}
            {...fieldOf('pin')}
          />
        ) : (
          <>
            <Field
              label={t('Local address')}
              placeholder={t('For example http://192.168.1.20:8080')}
              hint={t('What you leave empty stays as it is')}
              {...fieldOf('url')}
            />
            <Field label={t('Username')} autoComplete="off" {...fieldOf('username')} />
            <Field label={t('Password')} type="password" autoComplete="off" {...fieldOf('password')} />
          </>
        )}
        <Fault error={error} fields={Object.keys(NOTHING)} />
        <div class="row">
          <button type="submit" disabled={busy || Object.keys(change).length === 0}>
            {kind === 'modem' ? t('Save and try the modem') : t('Save and try the phone')}
          </button>
          <span role="status">{isSaved && t('Saved')}</span>
        </div>
      </form>
    </details>
  )
}

const NO_RINGER = { url: '', username: 'sms', password: '' }

/** The app CallGate beside SMSGate, with which the phone rings people. */
export function RingerAccess({ id, calls }: { readonly id: string; readonly calls: boolean }) {
  const [ringer, setRinger] = useState(NO_RINGER)
  const [isSaved, setSaved] = useState(false)
  const { busy, error, run } = useAction()
  const save = (change: typeof NO_RINGER | null) =>
    run(() => call('PATCH', `devices/${encodeURIComponent(id)}`, { ringer: change })).then(setSaved)
  const fieldOf = (name: keyof typeof NO_RINGER) => ({
    required: true,
    value: ringer[name],
    onValue: (value: string) => setRinger({ ...ringer, [name]: value }),
    issue: error?.issueOf(`ringer.${name}`),
  })
  return (
    <details>
      <summary>{t('How this phone rings people')}</summary>
      <form
        class="card"
        onSubmit={event => {
          event.preventDefault()
          void save(ringer)
        }}
      >
        <p class="hint">
          {t(
            'Beside SMSGate, the app CallGate on the same phone calls people for a step that rings. ' +
              'Start its server, and copy what it shows.',
          )}
        </p>
        <Field
          label={t('Address of CallGate')}
          placeholder={t('For example http://192.168.1.20:8084')}
          {...fieldOf('url')}
        />
        <Field label={t('Username')} autoComplete="off" {...fieldOf('username')} />
        <Field label={t('Password')} type="password" autoComplete="off" {...fieldOf('password')} />
        <Fault error={error} fields={['url', 'username', 'password'].map(name => `ringer.${name}`)} />
        <div class="row">
          <button type="submit" disabled={busy}>
            {t('Save and try it')}
          </button>
          {calls && (
            <button type="button" disabled={busy} onClick={() => void save(null)}>
              {t('It does not ring people any more')}
            </button>
          )}
          <span role="status">{isSaved && t('Saved')}</span>
        </div>
      </form>
    </details>
  )
}
