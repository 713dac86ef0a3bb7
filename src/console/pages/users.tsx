import { useState } from 'preact/hooks'
import { call, urlOf } from '#console/api.ts'
import { t } from '#console/language.ts'
import { EmailField } from '#console/parts/account-fields.tsx'
import { Choice, Fault, Loading, When } from '#console/parts/basics.tsx'
import { Copyable } from '#console/parts/copyable.tsx'
import { Danger } from '#console/parts/danger.tsx'
import { Form } from '#console/parts/form.tsx'
import { T } from '#console/parts/t.tsx'
import { session } from '#console/session-of-reader.ts'
import { dutyWords } from '#console/time-words.ts'
import { type Resource, useAction, useResource } from '#console/use-resource.ts'
import type { Role, UserResource } from '#contracts/user.ts'

type Invited = UserResource & { readonly invitationUrl: string }

const ROLES: Readonly<Record<Role, string>> = {
  viewer: t('Viewer'),
  operator: t('Operator'),
  owner: t('Owner'),
}
const ROLE_OPTIONS = Object.entries(ROLES)
/** What each role may do. */
const MEANINGS: Readonly<Record<Role, string>> = {
  viewer: t('Only looks'),
  operator: t('Sends, answers and manages alerts'),
  owner: t('May do everything'),
}

/** The link at the address of this page, which others can probably reach, too; unless this is the gateway. */
function linkOf({ invitationUrl }: Invited): string {
  const isHere = /^(?:localhost|127\.|\[::1\])/.test(location.hostname)
  return isHere ? invitationUrl : urlOf(new URL(invitationUrl).hash)
}

/** The logins of the account: who may look, work and manage. */
export function Users() {
  const users = useResource<readonly UserResource[]>('users', [])
  const [invited, setInvited] = useState<Invited | null>(null)
  return (
    <>
      <Fault error={users.error} retry={users.reload} />
      {users.isLoading && <Loading />}
      {invited !== null && (
        <div class="notice good" role="status">
          <p>
            <T>
              Give this link to {{ email: invited.email }}. It works once, until{' '}
              {{ when: dutyWords(invited.invitedUntil ?? '') }}, and is shown only now:
            </T>
          </p>
          <Copyable text={linkOf(invited)} label={t('the invitation link')} />
        </div>
      )}
      <div class="twin">
        {users.data !== undefined && (
          <ul class="list users">
            {users.data.map(user => (
              <li key={user.id}>
                <User user={user} users={users} setInvited={setInvited} />
              </li>
            ))}
          </ul>
        )}
        <Invite users={users} setInvited={setInvited} />
      </div>
    </>
  )
}

interface UsersProps {
  readonly users: Resource<readonly UserResource[]>
  readonly setInvited: (invited: Invited | null) => void
}

function User({ user, users, setInvited }: UsersProps & { readonly user: UserResource }) {
  const { id, email, role, disabled, invitedUntil } = user
  const { busy, error, run } = useAction()
  const isOwn = email === session.value?.account.email
  const act = (work: () => Promise<unknown>) =>
    void run(async () => {
      await work()
      users.reload()
    })
  const change = (json: object) => act(() => call('PATCH', `users/${id}`, json))
  const again = () => act(async () => setInvited(await call<Invited>('POST', 'users', { email, role })))
  return (
    <section class="item" aria-label={email}>
      <p>
        <strong>{email}</strong> {isOwn && <span class="good">{t('you')}</span>}
        {disabled && <span class="bad">{t('disabled')}</span>}
        <br />
        <span class="dim">
          {invitedUntil === null ? (
            <T>
              since <When at={user.createdAt} />
            </T>
          ) : (
            <T>invited; the link works until {{ when: dutyWords(invitedUntil) }}</T>
          )}
        </span>
      </p>
      {isOwn ? (
        <p class="field dim">{ROLES[role]}</p>
      ) : (
        <Choice
          label={t('Role')}
          value={role}
          options={ROLE_OPTIONS}
          onValue={value => change({ role: value as Role })}
        />
      )}
      <div class="row acts">
        {invitedUntil !== null && (
          <button type="button" disabled={busy} onClick={again}>
            {t('Make a new link')}
          </button>
        )}
        {!isOwn && disabled && (
          <button type="button" disabled={busy} onClick={() => change({ disabled: false })}>
            {t('Enable')}
          </button>
        )}
        {!isOwn && !disabled && (
          <Danger
            word={t('Disable')}
            question={t('{email} is logged out everywhere at once, and cannot log in until you enable it.', {
              email,
            })}
            onConfirm={() => change({ disabled: true })}
          />
        )}
        {!isOwn && (
          <Danger
            word={t('Remove')}
            question={t('{email} is logged out everywhere at once. What they did stays in the audit list.', {
              email,
            })}
            onConfirm={() => act(() => call('DELETE', `users/${id}`))}
          />
        )}
      </div>
      <Fault error={error} />
    </section>
  )
}

function Invite({ users, setInvited }: UsersProps) {
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<Role>('viewer')
  const action = useAction()
  const invite = () =>
    action.run(async () => {
      setInvited(await call<Invited>('POST', 'users', { email, role }))
      setEmail('')
      scrollTo(0, 0)
      users.reload()
    })
  return (
    <Form action={action} send={invite} fields={['email']} word={t('Make the invitation link')}>
      <h2>{t('Invite somebody')}</h2>
      <EmailField value={email} onValue={setEmail} error={action.error} />
      <Choice
        label={t('Role')}
        value={role}
        options={ROLE_OPTIONS}
        onValue={value => setRole(value as Role)}
      />
      <p class="hint">{MEANINGS[role]}</p>
    </Form>
  )
}
