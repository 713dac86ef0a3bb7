import { useState } from 'preact/hooks'
import { call } from '#console/api.ts'
import { Fault, Field } from '#console/parts/basics.tsx'
import { useAction } from '#console/use-resource.ts'
import type { DeviceListItem } from '#contracts/device.ts'

/** The user name that the app has by default. */
const USERNAME = 'sms'

/** The form that adds a phone with the app SMSGate. The gateway calls the local server of the app. */
export function AddSmsgate({ onAdded }: { onAdded: () => void }) {
  const [url, setUrl] = useState('')
  const [username, setUsername] = useState(USERNAME)
  const [password, setPassword] = useState('')
  const [name, setName] = useState('')
  const { busy, error, run } = useAction()
  const add = () =>
    run(async () => {
      const optional = name.trim() === '' ? {} : { name: name.trim() }
      await call<DeviceListItem>('POST', 'devices', { kind: 'smsgate', url, username, password, ...optional })
      onAdded()
    })
  return (
    <form
      class="card"
      onSubmit={event => {
        event.preventDefault()
        void add()
      }}
    >
      <h2>A phone with the app SMSGate</h2>
      <ol>
        <li>On the phone install the app SMSGate from sms-gate.app, open it, and allow what it asks for.</li>
        <li>Switch on Local server and tap Online.</li>
        <li>Type here what its home screen shows now. The phone must be in this network.</li>
      </ol>
      <Field
        label="Local address"
        isFirst
        required
        value={url}
        onValue={setUrl}
        placeholder="For example http://192.168.1.20:8080"
        issue={error?.issueOf('url')}
      />
      <Field
        label="Username"
        required
        autoComplete="off"
        value={username}
        onValue={setUsername}
        issue={error?.issueOf('username')}
      />
      <Field
        label="Password"
        type="password"
        autoComplete="off"
        required
        value={password}
        onValue={setPassword}
        issue={error?.issueOf('password')}
      />
      <Field
        label="Name (optional)"
        value={name}
        onValue={setName}
        placeholder="For example Kitchen Pixel"
        issue={error?.issueOf('name')}
      />
      <Fault error={error} fields={['url', 'username', 'password', 'name']} />
      <button type="submit" class="primary" disabled={busy}>
        {busy ? 'Trying the phone…' : 'Add this phone'}
      </button>
    </form>
  )
}
