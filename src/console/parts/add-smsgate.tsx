import { useState } from 'preact/hooks'
import { call, urlOf } from '#console/api.ts'
import { t } from '#console/language.ts'
import { Fault, Field, NewTab } from '#console/parts/basics.tsx'
import { Copyable } from '#console/parts/copyable.tsx'
import { serverFor } from '#console/parts/pairing-steps.tsx'
import { T } from '#console/parts/t.tsx'
import { useAction } from '#console/use-resource.ts'
import { grouped } from '#console/words-of-states.ts'
import type { DeviceListItem, PairingResource } from '#contracts/device.ts'
import { serverOfPairing, smsgateCloudAddress } from '#contracts/pairing-address.ts'

/** The user name that the app has by default. */
const USERNAME = 'sms'

const BATTERY = t(
  'In Android’s settings turn battery optimisation off for it, because Android would stop it.',
)

function InstallStep({ version, more }: { version: string; more: string }) {
  return (
    <li>
      <T>
        On the phone install <NewTab href="https://sms-gate.app">the app SMSGate</NewTab>, version{' '}
        {{ version }} or newer. {{ more }} Open it, and allow what it asks for.
      </T>
    </li>
  )
}

function More({ section }: { section: string }) {
  return (
    <p class="hint">
      <T>
        What to do when something does not work:{' '}
        <NewTab href={urlOf(`handbook#${section}`)}>the handbook</NewTab>
      </T>
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
      <h2>{t('A phone elsewhere, with the app SMSGate')}</h2>
      {address === null ? (
        <div class="notice wait">
          <p>
            <T>
              The app calls only an HTTPS address, and this gateway knows none of its own. Make a certificate,
              or set public_url to the address of your proxy:{' '}
              <NewTab href={urlOf('handbook#https-on-your-lan')}>HTTPS on your LAN</NewTab>
            </T>
          </p>
        </div>
      ) : (
        <ol>
          <InstallStep version="1.53.1" more={t('Best is {version} or newer.', { version: '1.66.2' })} />
          <li>
            <T>{{ BATTERY }} In the app turn Start on boot on.</T>
          </li>
          {authority !== null && (
            <li>
              <T>
                Install the gateway’s certificate authority on the phone:{' '}
                <NewTab href={urlOf('ca')}>how to do that</NewTab>
              </T>
            </li>
          )}
          <li>
            {t('In the app open Settings, Cloud server. As API URL set:')}
            <Copyable text={address} label={t('the API URL')} />
          </li>
          <li>{t('As Notification channel choose SSE Only.')}</li>
          <li>
            {t('On its home screen switch on Cloud server, tap Offline, choose By Code, and type:')}
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
  const { busy, isRunning, error, run } = useAction()
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
      <h2>{t('A phone with the app SMSGate')}</h2>
      <ol>
        <InstallStep version="1.39.0" more={t('To receive texts, it must have 1.59.0.')} />
        <li>
          <T>{{ BATTERY }} Let Wi-Fi stay on while the phone sleeps, if its settings ask.</T>
        </li>
        <li>{t('Switch on Local server in the app and tap Online.')}</li>
        <li>{t('In the router give the phone a fixed address, so that Roost does not lose it.')}</li>
        <li>
          <T>Type here what the home screen of the app shows now. The phone must be in this network.</T>
        </li>
      </ol>
      <More section="a-phone-with-smsgate" />
      <Field
        label={t('Local address')}
        required
        value={url}
        onValue={setUrl}
        placeholder={t('For example http://192.168.1.20:8080')}
        issue={error?.issueOf('url')}
      />
      <Field
        label={t('Username')}
        required
        autoComplete="off"
        value={username}
        onValue={setUsername}
        issue={error?.issueOf('username')}
      />
      <Field
        label={t('Password')}
        type="password"
        autoComplete="off"
        required
        value={password}
        onValue={setPassword}
        issue={error?.issueOf('password')}
      />
      <Field
        label={t('Name (optional)')}
        value={name}
        onValue={setName}
        placeholder={t('For example Kitchen Pixel')}
        issue={error?.issueOf('name')}
      />
      <Fault error={error} fields={['url', 'username', 'password', 'name']} />
      <button type="submit" class="primary" disabled={busy}>
        {isRunning ? t('Trying the phone…') : t('Add this phone')}
      </button>
    </form>
  )
}
