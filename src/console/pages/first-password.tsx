/** The pages behind the setup link and behind an invitation link: somebody chooses a first password. */
import type { ComponentChild } from 'preact'
import { useState } from 'preact/hooks'
import { call } from '#console/api.ts'
import { t } from '#console/language.ts'
import { EmailField, NewPasswordField } from '#console/parts/account-fields.tsx'
import { PageHead, Tick } from '#console/parts/basics.tsx'
import { Form } from '#console/parts/form.tsx'
import { Logo } from '#console/parts/logo.tsx'
import { T } from '#console/parts/t.tsx'
import { logOut, session, storeSession } from '#console/session-of-reader.ts'
import { useAction } from '#console/use-resource.ts'
import type { OpenedSessionResource } from '#contracts/session.ts'

export function SetUpPage({ token }: { token: string }) {
  const open = async (email: string, password: string) => {
    type Opened = Omit<OpenedSessionResource, 'account'> & { email: string; plan: string }
    const { half, expiresAt, ...account } = await call<Opened>('POST', '/setup', { token, email, password })
    return {
      ...{ id: '', half, expiresAt },
      account: { email: account.email, plan: account.plan, role: 'owner' as const },
    }
  }
  return (
    <FirstPassword
      title={t('Set up Roost')}
      asksEmail
      intro={
        <T>
          Choose how you log in as the owner of this gateway. This link works once. If it was used,{' '}
          <a href="#/">log in</a>.
        </T>
      }
      gone={
        <>
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
        </>
      }
      already={email => (
        <T>You are logged in as {{ email }}. A setup link works once, so this one was probably used.</T>
      )}
      other={t('Log out and try it')}
      open={open}
    />
  )
}

export function InvitePage({ token }: { token: string }) {
  return (
    <FirstPassword
      title={t('Welcome to Roost')}
      intro={
        <T>
          Somebody invited you to this SMS gateway. Choose a password. From then on you log in with it and
          with your e-mail address.
        </T>
      }
      gone={
        <p>
          <T>
            <strong>This link no longer works:</strong> it was used, is older than a week, or a newer one was
            made. If you have a password, <a href="#/">log in</a>. If not, ask for a new link.
          </T>
        </p>
      }
      already={email => (
        <T>This link makes a login for somebody else: in this browser you are logged in as {{ email }}.</T>
      )}
      other={t('Log out and use the link')}
      open={(_, password) => call<OpenedSessionResource>('POST', 'invitations', { token, password })}
    />
  )
}

interface FirstPasswordProps {
  readonly title: string
  readonly intro: ComponentChild
  /** Whether the person also chooses the e-mail address. */
  readonly asksEmail?: boolean
  /** What to do where the link no longer works. */
  readonly gone: ComponentChild
  /** What the link shows to a person who is logged in, and the button that uses it nevertheless. */
  readonly already: (email: string) => ComponentChild
  readonly other: string
  readonly open: (email: string, password: string) => Promise<OpenedSessionResource>
}

function FirstPassword(props: FirstPasswordProps) {
  const { title, intro, asksEmail = false, gone, already, other, open } = props
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [isShown, setShown] = useState(false)
  const [isDone, setDone] = useState(false)
  const action = useAction()
  const { error } = action
  const send = () =>
    action.run(async () => {
      const opened = await open(email, password)
      setDone(true)
      storeSession(opened)
      location.hash = '#/'
    })
  if (session.value && !isDone)
    return (
      <div class="log-in">
        <Logo />
        <PageHead title={title} />
        <p>{already(session.value.account.email)}</p>
        <p class="row">
          <a class="button primary" href="#/">
            {t('Go to Home')}
          </a>
          <button type="button" onClick={() => void logOut(location.hash)}>
            {other}
          </button>
        </p>
      </div>
    )
  const isGone = error?.status === 404
  return (
    <Form
      action={isGone ? { ...action, error: null } : action}
      send={send}
      fields={asksEmail ? ['email', 'password'] : ['password']}
      word={t('Save and log in')}
      look="log-in"
    >
      <Logo />
      <PageHead title={title} />
      <p>{intro}</p>
      {asksEmail && <EmailField isFirst value={email} onValue={setEmail} error={error} />}
      <NewPasswordField
        label={t('Password')}
        hint={t('At least 10 characters. A short sentence is good.')}
        required
        isFirst={!asksEmail}
        isShown={isShown}
        value={password}
        onValue={setPassword}
        error={error}
      />
      <Tick label={t('Show the password')} checked={isShown} onValue={setShown} />
      {isGone && (
        <div class="notice bad" role="alert">
          {gone}
        </div>
      )}
    </Form>
  )
}
