import { useState } from 'preact/hooks'
import { call, urlOf } from '#console/api.ts'
import { Fault, Field, NewTab } from '#console/parts/basics.tsx'
import { Copyable } from '#console/parts/copyable.tsx'
import { serverFor } from '#console/parts/pairing-steps.tsx'
import { useAction } from '#console/use-resource.ts'
import { grouped } from '#console/words.ts'
import type { DeviceListItem, PairingResource } from '#contracts/device.ts'
import { serverOfPairing, smsgateCloudAddress } from '#contracts/pairing-address.ts'

/** The user name that the app has by default. */
const USERNAME = 'sms'

const BATTERY = 'In Android’s settings turn battery optimisation off for it, because Android would stop it.'

function InstallStep({ version, more }: { version: string; more: string }) {
  return (
    <li>
      On the phone install <NewTab href="https://sms-gate.app">the app SMSGate</NewTab>, version {version} or
      newer. {more} Open it, and allow what it asks for.
    </li>
  )
}

function More({ section }: { section: string }) {
  return (
    <p class="hint">
      What to do when something does not work:{' '}
      <NewTab href={urlOf(`handbook#${section}`)}>the handbook</NewTab>
    </p>
  )
}

/** How a phone that is not in this network pairs: its app calls the gateway. */
export function CloudSteps({ pairing }: { pairing: PairingResource }) {
  const { code, pairUrl, authority } = pairing
  const isConfigured = pairUrl.startsWith('https:')
  const address = smsgateCloudAddress(isConfigured ? serverOfPairing(pairUrl) : serverFor(pairing), authority)
  return (
    <section class="card">
      <h2>A phone elsewhere, with the app SMSGate</h2>
      {address === null ? (
        <div class="notice wait">
          <p>
            The app calls only an HTTPS address, and this gateway knows none of its own. Make a certificate,
            or set public_url to the address of your proxy:{' '}
            <NewTab href={urlOf('handbook#https-on-your-lan')}>HTTPS on your LAN</NewTab>
          </p>
        </div>
      ) : (
        <ol>
          <InstallStep version="1.53.1" more="Best is 1.66.2 or newer." />
          <li>{BATTERY} In the app turn Start on boot on.</li>
          {authority !== null && (
            <li>
              Install the gateway’s certificate authority on the phone:{' '}
              <NewTab href={urlOf('ca')}>how to do that</NewTab>
            </li>
          )}
          <li>
            In the app open Settings, Cloud server. As API URL set:
            <Copyable text={address} label="the API URL" />
          </li>
          <li>As Notification channel choose SSE Only.</li>
          <li>
            On its home screen switch on Cloud server, tap Offline, choose By Code, and type:
            <p class="code">{grouped(code)}</p>
          </li>
        </ol>
      )}
      <More section="a-phone-with-smsgate-elsewhere" />
    </section>
  )
}

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
        <InstallStep version="1.39.0" more="To receive texts, it must have 1.59.0." />
        <li>{BATTERY} Let Wi-Fi stay on while the phone sleeps, if its settings ask.</li>
        <li>Switch on Local server in the app and tap Online.</li>
        <li>In the router give the phone a fixed address, so that Roost does not lose it.</li>
        <li>Type here what the home screen of the app shows now. The phone must be in this network.</li>
      </ol>
      <More section="a-phone-with-smsgate" />
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
