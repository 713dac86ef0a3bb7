import { useState } from 'preact/hooks'
import { call } from '#console/api.ts'
import { t } from '#console/language.ts'
import { EmailField, NewPasswordField, PasswordField } from '#console/parts/account-fields.tsx'
import { Fault, When } from '#console/parts/basics.tsx'
import { T } from '#console/parts/t.tsx'
import { session } from '#console/session-of-reader.ts'
import { useAction, useResource } from '#console/use-resource.ts'
import type { ListedSessionResource } from '#contracts/session.ts'

/** The e-mail and the password of the login, and where it is used. */
export function AccountAndLogins() {
  return (
    <div class="twin">
      <Account />
      <Sessions />
    </div>
  )
}

function Account() {
  const [email, setEmail] = useState(session.value?.account.email ?? '')
  const [password, setPassword] = useState('')
  const [current, setCurrent] = useState('')
  const [notice, setNotice] = useState('')
  const { busy, error, run } = useAction()
  const save = () =>
    run(async () => {
      const change = {
        ...(email !== session.value?.account.email && { email }),
        ...(password !== '' && { password }),
      }
      setNotice('')
      await call('PATCH', 'account', { ...change, currentPassword: current })
      const known = session.value
      if (known) session.value = { ...known, account: { ...known.account, email } }
      setPassword('')
      setCurrent('')
      setNotice(password === '' ? t('Saved') : t('Saved. Everywhere else you are logged out.'))
    })
  return (
    <form
      class="card"
      aria-labelledby="account"
      onSubmit={event => {
        event.preventDefault()
        void save()
      }}
    >
      <h2 id="account">{t('Account')}</h2>
      <EmailField value={email} onValue={setEmail} error={error} />
      <NewPasswordField
        label={t('New password')}
        hint={t('Leave it empty to keep yours')}
        required={false}
        value={password}
        onValue={setPassword}
        error={error}
      />
      <PasswordField
        label={t('Current password')}
        name="currentPassword"
        value={current}
        onValue={setCurrent}
        error={error}
      />
      <Fault error={error} fields={['email', 'password', 'currentPassword']} />
      <div class="row">
        <button type="submit" class="primary" disabled={busy}>
          {t('Save account')}
        </button>
        <span role="status">{notice}</span>
      </div>
    </form>
  )
}

function Sessions() {
  const sessions = useResource<readonly ListedSessionResource[]>('sessions', [])
  const { error, run } = useAction()
  const end = (id: string) =>
    run(async () => {
      await call('DELETE', `sessions/${id}`)
      sessions.reload()
    })
  return (
    <section class="entries" aria-labelledby="sessions">
      <h2 id="sessions">{t('Where you are logged in')}</h2>
      <Fault error={error} />
      <Fault error={sessions.error} retry={sessions.reload} />
      {sessions.data !== undefined && (
        <ul class="list users">
          {sessions.data.map(one => (
            <li key={one.id}>
              <div class="item">
                <p>
                  <strong>{one.browser === 'unknown' ? t('Unknown browser') : one.browser}</strong>{' '}
                  {one.current && <span class="good">{t('this one')}</span>}
                  <br />
                  <span class="dim">
                    <T>
                      {{ address: one.address }} · since <When at={one.createdAt} />
                    </T>
                  </span>
                </p>
                {!one.current && (
                  <button type="button" onClick={() => void end(one.id)}>
                    <T>
                      Log out<span class="hidden"> {{ browser: one.browser }}</span>
                    </T>
                  </button>
                )}
              </div>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
