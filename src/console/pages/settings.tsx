import { useState } from 'preact/hooks'
import { apiUrl, call, urlOf } from '#console/api.ts'
import { curlOf } from '#console/curl-of.ts'
import { EmailField, NewPasswordField, PasswordField } from '#console/parts/account-fields.tsx'
import { Choice, Fault, Field, Meter, NewTab, PageHead, Tick, When } from '#console/parts/basics.tsx'
import { Copyable, CopyButton, InClone } from '#console/parts/copyable.tsx'
import { Danger } from '#console/parts/danger.tsx'
import { LanguageChoice } from '#console/parts/language-choice.tsx'
import { areShortcutsOn, switchShortcuts } from '#console/parts/shortcut-keys.tsx'
import { chooseScheme, scheme } from '#console/scheme.ts'
import { logOut, may, session } from '#console/session.ts'
import { useAction, useResource } from '#console/use-resource.ts'
import type { CreatedKeyResource, KeyResource, UsageResource } from '#contracts/account.ts'
import type { StatusResource } from '#contracts/health.ts'
import type { ListedSessionResource } from '#contracts/session.ts'

export function SettingsPage() {
  return (
    <>
      <PageHead title="Settings">
        <button type="button" onClick={() => void logOut()}>
          Log out
        </button>
      </PageHead>
      {may('owner') && <Keys />}
      <div class="grid">
        <Plan />
        <Gateway />
      </div>
      <Account />
      <Sessions />
      <section class="card" aria-labelledby="browser">
        <h2 id="browser">In this browser</h2>
        <Choice
          label="Appearance"
          value={scheme.value}
          onValue={chooseScheme}
          options={[
            ['', 'As the system'],
            ['light', 'Light'],
            ['dark', 'Dark'],
          ]}
        />
        <LanguageChoice />
        <Tick
          label="Keyboard shortcuts (press ? for the list)"
          checked={areShortcutsOn.value}
          onValue={switchShortcuts}
        />
      </section>
    </>
  )
}

function Keys() {
  const keys = useResource<readonly KeyResource[]>('keys', [])
  const [name, setName] = useState('')
  const [isTest, setTest] = useState(false)
  const [isMonitor, setMonitor] = useState(false)
  const [made, setMade] = useState<CreatedKeyResource | null>(null)
  const { busy, error, run } = useAction()
  const valid = keys.data?.filter(({ revokedAt }) => revokedAt === null) ?? []
  const create = () =>
    run(async () => {
      const wanted = { name, test: isTest, cleanText: isMonitor }
      setMade(await call<CreatedKeyResource>('POST', 'keys', wanted))
      setName('')
      keys.reload()
    })
  const revoke = (id: string) =>
    run(async () => {
      await call('DELETE', `keys/${id}`)
      keys.reload()
    })
  return (
    <section class="card" aria-labelledby="keys">
      <h2 id="keys">Keys for programs</h2>
      {made !== null && (
        <div class="notice good" role="status">
          <p>The key of {made.name}, shown only now:</p>
          <Copyable text={made.key} label="the key" />
          <p>To send a text with it, put in a number:</p>
          <Copyable text={curlOf(made.key, '+14155550123', 'Hello from my script')} label="the command" />
        </div>
      )}
      <Fault error={keys.error} retry={keys.reload} />
      {keys.data !== undefined && valid.length === 0 && <p class="dim">No program has a key yet.</p>}
      {valid.map(key => (
        <div key={key.id} class="row line">
          <span>
            <strong>{key.name}</strong> <span class="mono dim">…{key.hint}</span>
            <br />
            <span class="dim">
              {key.test ? 'Sandbox: reaches no phone' : 'Live'}
              {key.cleanText && ' · leaves out emoji and markup'} · last used <When at={key.lastUsedAt} />
            </span>
          </span>
          <Danger
            word="Revoke"
            question={`Programs that use the key ${key.name} are then refused.`}
            onConfirm={() => void revoke(key.id)}
          />
        </div>
      ))}
      <form
        onSubmit={event => {
          event.preventDefault()
          void create()
        }}
      >
        <Field
          label="Name of a new key"
          required
          value={name}
          onValue={setName}
          placeholder="For example Backup script"
          issue={error?.issueOf('name')}
        />
        <Tick label="Sandbox: what it sends reaches no phone" checked={isTest} onValue={setTest} />
        <Tick
          label="For a monitor: leave out emoji and markup, which make texts longer"
          checked={isMonitor}
          onValue={setMonitor}
        />
        <Fault error={error} fields={['name']} />
        <button type="submit" disabled={busy}>
          Make key
        </button>
      </form>
    </section>
  )
}

function Plan() {
  const { data, error, reload } = useResource<UsageResource>('account/usage', ['message'])
  return (
    <section class="card" aria-labelledby="plan">
      <h2 id="plan">What you may send</h2>
      <Fault error={error} retry={reload} />
      {data !== undefined && <Usage {...data} />}
    </section>
  )
}

function Usage({ plan, usage, limits }: UsageResource) {
  return (
    <>
      <Meter label="Texts today" value={usage.smsToday} max={limits.smsPerDay} />
      <Meter label="Codes today" value={usage['2faToday']} max={limits['2faPerDay']} />
      <p class="dim">
        {usage.smsThisMonth === 1 ? '1 text' : `${usage.smsThisMonth} texts`} this month. The limits are those
        of the plan {plan}.
      </p>
      {may('owner') && (
        <>
          <p class="dim">
            To choose another plan, run this on the machine that Roost runs on. <InClone />
          </p>
          <Copyable
            text={`roost account set-plan ${session.value?.account.email ?? 'EMAIL'} PLAN`}
            label="the command for another plan"
          />
        </>
      )}
    </>
  )
}

function Gateway() {
  const { data, error, reload } = useResource<StatusResource>('status', [])
  const address = data?.publicUrl ?? urlOf('')
  return (
    <section class="card" aria-labelledby="gateway">
      <h2 id="gateway">Gateway</h2>
      <Fault error={error} retry={reload} />
      <dl class="facts">
        <dt>Address</dt>
        <dd class="row">
          <span class="mono">{address}</span>
          <CopyButton text={address} label="the address" />
        </dd>
        {data !== undefined && (
          <>
            <dt>Version</dt>
            <dd>{data.version}</dd>
            <dt>Started</dt>
            <dd>
              <When at={data.startedAt} />
            </dd>
          </>
        )}
      </dl>
      <p>
        <NewTab href={apiUrl('docs')}>API reference</NewTab> ·{' '}
        <NewTab href={apiUrl('openapi.json')}>OpenAPI</NewTab> ·{' '}
        <NewTab href={urlOf('metrics')}>Metrics</NewTab>
      </p>
    </section>
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
      setNotice(password === '' ? 'Saved' : 'Saved. Everywhere else you are logged out.')
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
      <h2 id="account">Account</h2>
      <EmailField value={email} onValue={setEmail} error={error} />
      <NewPasswordField
        label="New password"
        hint="Leave it empty to keep yours"
        required={false}
        value={password}
        onValue={setPassword}
        error={error}
      />
      <PasswordField
        label="Current password"
        name="currentPassword"
        value={current}
        onValue={setCurrent}
        error={error}
      />
      <Fault error={error} fields={['email', 'password', 'currentPassword']} />
      <div class="row">
        <button type="submit" disabled={busy}>
          Save account
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
    <section class="card" aria-labelledby="sessions">
      <h2 id="sessions">Where you are logged in</h2>
      <Fault error={error} />
      <Fault error={sessions.error} retry={sessions.reload} />
      {sessions.data?.map(one => (
        <div key={one.id} class="row line">
          <span>
            <strong>{one.browser}</strong> {one.current && <span class="good">this one</span>}
            <br />
            <span class="dim">
              {one.address} · since <When at={one.createdAt} />
            </span>
          </span>
          {!one.current && (
            <button type="button" onClick={() => void end(one.id)}>
              Log out<span class="hidden"> {one.browser}</span>
            </button>
          )}
        </div>
      ))}
    </section>
  )
}
