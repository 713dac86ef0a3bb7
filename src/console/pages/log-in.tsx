/** The login with e-mail and password. */
import { useState } from 'preact/hooks'
import { t } from '#console/language.ts'
import { EmailField, PasswordField } from '#console/parts/account-fields.tsx'
import { Fault, PageHead, Tick } from '#console/parts/basics.tsx'
import { Copyable, InClone } from '#console/parts/copyable.tsx'
import { Logo } from '#console/parts/logo.tsx'
import { T } from '#console/parts/t.tsx'
import { logIn, session } from '#console/session-of-reader.ts'
import { useAction } from '#console/use-resource.ts'

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
      <Logo />
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
