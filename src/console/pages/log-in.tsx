/** The login with e-mail and password, and the setup page that the setup link opens. */
import { useState } from 'preact/hooks'
import { call } from '#console/api.ts'
import { t } from '#console/language.ts'
import { EmailField, NewPasswordField, PasswordField } from '#console/parts/account-fields.tsx'
import { Fault, PageHead, Tick } from '#console/parts/basics.tsx'
import { Copyable, InClone } from '#console/parts/copyable.tsx'
import { T } from '#console/parts/t.tsx'
import { logIn, logOut, session, storeSession } from '#console/session.ts'
import { useAction } from '#console/use-resource.ts'
import type { OpenedSessionResource } from '#contracts/session.ts'

export function LogInPage({ again }: { again?: boolean }) {
  const [email, setEmail] = useState(session.value?.account.email ?? '')
  const [knowsEmail] = useState(email !== '')
  const [password, setPassword] = useState('')
  const [isShown, setShown] = useState(false)
  const { busy, error, run } = useAction()
  return (
    <form
      class="log-in"
      onSubmit={event => {
        event.preventDefault()
        void run(() => logIn(email, password))
      }}
    >
      <PageHead title={again === true ? t('Log in again') : t('Log in to Roost')} />
      {again === true && <p>{t('You were logged out. What you typed is still there behind this form.')}</p>}
      <EmailField isFirst={!knowsEmail} value={email} onValue={setEmail} error={error} />
      <PasswordField
        isFirst={knowsEmail}
        label={t('Password')}
        isShown={isShown}
        value={password}
        onValue={setPassword}
        error={error}
      />
      <Tick label={t('Show the password')} checked={isShown} onValue={setShown} />
      <Fault error={error} fields={['email', 'password']} />
      <button type="submit" class="primary" disabled={busy}>
        {t('Log in')}
      </button>
      <details>
        <summary>{t('I do not know my password')}</summary>
        <p>
          <T>
            On the machine that Roost runs on, this command sets a new one. <InClone />
          </T>
        </p>
        <Copyable
          text={`roost account set-password ${email === '' ? 'EMAIL' : email}`}
          label={t('the command for a new password')}
        />
        <p>{t('If no password was chosen yet, this command prints the setup link:')}</p>
        <Copyable text="roost setup-link" label={t('the command for the setup link')} />
      </details>
    </form>
  )
}

export function SetUpPage({ token }: { token: string }) {
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [isShown, setShown] = useState(false)
  const [isDone, setDone] = useState(false)
  const { busy, error, run } = useAction()
  const submit = () =>
    run(async () => {
      type Account = Omit<OpenedSessionResource, 'account'> & { email: string; plan: string }
      const { half, expiresAt, ...account } = await call<Account>('POST', '/setup', {
        token,
        email,
        password,
      })
      setDone(true)
      storeSession({
        id: '',
        half,
        expiresAt,
        account: { email: account.email, plan: account.plan, role: 'owner' },
      })
      location.hash = '#/'
    })
  if (session.value && !isDone) return <SetUpDone email={session.value.account.email} />
  return (
    <form
      class="log-in"
      onSubmit={event => {
        event.preventDefault()
        void submit()
      }}
    >
      <PageHead title={t('Set up Roost')} />
      <p>
        <T>
          Choose how you log in as the owner of this gateway. This link works once. If it was used,{' '}
          <a href="#/">log in</a>.
        </T>
      </p>
      <EmailField isFirst value={email} onValue={setEmail} error={error} />
      <NewPasswordField
        label={t('Password')}
        hint={t('At least 10 characters. A short sentence is good.')}
        required
        isShown={isShown}
        value={password}
        onValue={setPassword}
        error={error}
      />
      <Tick label={t('Show the password')} checked={isShown} onValue={setShown} />
      {error?.status === 404 ? (
        <div class="notice bad" role="alert">
          <p>
            <T>
              <strong>This link no longer works:</strong> it was used, is older than a day, or a newer one was
              printed. Nothing was changed.
            </T>
          </p>
          <p>
            <T>
              If you have a password, <a href="#/">log in</a>. If not, run <code>roost setup-link</code> where
              Roost runs, and open the link that it prints.
            </T>
          </p>
        </div>
      ) : (
        <Fault error={error} fields={['email', 'password']} />
      )}
      <button type="submit" class="primary" disabled={busy}>
        {t('Save and log in')}
      </button>
    </form>
  )
}

/** The page behind an invitation link: the new user chooses a password. */
export function InvitePage({ token }: { token: string }) {
  const [password, setPassword] = useState('')
  const [isShown, setShown] = useState(false)
  const [isDone, setDone] = useState(false)
  const { busy, error, run } = useAction()
  const submit = () =>
    run(async () => {
      const opened = await call<OpenedSessionResource>('POST', 'invitations', { token, password })
      setDone(true)
      storeSession(opened)
      location.hash = '#/'
    })
  if (session.value && !isDone) return <Already email={session.value.account.email} />
  return (
    <form
      class="log-in"
      onSubmit={event => {
        event.preventDefault()
        void submit()
      }}
    >
      <PageHead title={t('Welcome to Roost')} />
      <p>
        <T>
          Somebody invited you to this SMS gateway. Choose a password. From then on you log in with it and
          with your e-mail address.
        </T>
      </p>
      <NewPasswordField
        label={t('Password')}
        hint={t('At least 10 characters. A short sentence is good.')}
        required
        isFirst
        isShown={isShown}
        value={password}
        onValue={setPassword}
        error={error}
      />
      <Tick label={t('Show the password')} checked={isShown} onValue={setShown} />
      {error?.status === 404 ? (
        <div class="notice bad" role="alert">
          <p>
            <T>
              <strong>This link no longer works:</strong> it was used, is older than a week, or a newer one
              was made. If you have a password, <a href="#/">log in</a>. If not, ask for a new link.
            </T>
          </p>
        </div>
      ) : (
        <Fault error={error} fields={['password']} />
      )}
      <button type="submit" class="primary" disabled={busy}>
        {t('Save and log in')}
      </button>
    </form>
  )
}

/** What an invitation link shows in a browser where somebody is logged in. */
function Already({ email }: { email: string }) {
  return (
    <div class="log-in">
      <PageHead title={t('Welcome to Roost')} />
      <p>
        <T>This link makes a login for somebody else: in this browser you are logged in as {{ email }}.</T>
      </p>
      <p class="row">
        <a class="button primary" href="#/">
          {t('Go to Home')}
        </a>
        <button type="button" onClick={() => void logOut(location.hash)}>
          {t('Log out and use the link')}
        </button>
      </p>
    </div>
  )
}

/** What the setup link shows to a person who is logged in. */
function SetUpDone({ email }: { email: string }) {
  return (
    <div class="log-in">
      <PageHead title={t('Set up Roost')} />
      <p>
        <T>You are logged in as {{ email }}. A setup link works once, so this one was probably used.</T>
      </p>
      <p class="row">
        <a class="button primary" href="#/">
          {t('Go to Home')}
        </a>
        <button type="button" onClick={() => void logOut()}>
          {t('Log out and try it')}
        </button>
      </p>
    </div>
  )
}
