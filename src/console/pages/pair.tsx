import { useEffect, useRef, useState } from 'preact/hooks'
import { call, urlOf } from '#console/api.ts'
import { AddSmsgate } from '#console/parts/add-smsgate.tsx'
import { Copyable, Fault, Loading, PageHead, Tabs, useNow } from '#console/parts/basics.tsx'
import { batteryWords } from '#console/parts/device-line.tsx'
import { Qr } from '#console/parts/qr.tsx'
import { countdownWords } from '#console/time-words.ts'
import { useAction, useResource } from '#console/use-resource.ts'
import { grouped } from '#console/words.ts'
import type { DeviceListItem, PairingResource } from '#contracts/device.ts'
import { fingerprintFor, pairingAddress, termuxLines } from '#contracts/pairing-address.ts'

/** What the agent needs in Termux. */
const INSTALL = 'pkg install -y termux-api nodejs curl'

/**
 * `other`: another phone scans a QR code. `here`: this phone runs commands in Termux. `smsgate`: the gateway
 * calls the app SMSGate.
 */
type Way = 'other' | 'here' | 'smsgate'

/** Pairs a phone in one of three ways, and shows the phone when it has connected. */
export function Pair() {
  const devices = useResource<readonly DeviceListItem[]>('devices', ['device'])
  const before = useRef<ReadonlySet<string> | null>(null)
  const [pairing, setPairing] = useState<PairingResource | null>(null)
  const [way, setWay] = useState<Way>(/Android/.test(navigator.userAgent) ? 'here' : 'other')
  const renewed = useRef(0)
  const make = useAction()
  const now = useNow(1_000)
  const ask = () =>
    make.run(async () => setPairing(await call<PairingResource>('POST', 'devices/pairings', {})))
  useEffect(() => void ask(), [])
  if (before.current === null && devices.data !== undefined)
    before.current = new Set(devices.data.map(({ deviceId }) => deviceId))
  const found = devices.data?.find(({ deviceId }) => before.current?.has(deviceId) === false)
  const left = pairing === null ? 0 : Date.parse(pairing.expiresAt) - now
  const isOver = pairing !== null && left <= 0
  useEffect(() => {
    // Replace an expired code only once, so that a page that is left open does not make codes forever.
    if (!isOver || found !== undefined || renewed.current > 0) return
    renewed.current += 1
    void ask()
  }, [isOver])
  if (found !== undefined) return <Connected device={found} />
  return (
    <>
      <PageHead title="Add a phone" />
      <Tabs
        label="Which phone"
        value={way}
        onValue={value => setWay(value as Way)}
        options={[
          ['other', 'Another phone'],
          ['here', 'This phone'],
          ['smsgate', 'The app SMSGate'],
        ]}
      />
      {way === 'smsgate' ? (
        <AddSmsgate onAdded={devices.reload} />
      ) : (
        <>
          <Fault error={make.error} retry={() => void ask()} />
          {pairing === null && make.error === null && <Loading />}
          {pairing !== null && !isOver && (
            <>
              <PairingSteps pairing={pairing} isHere={way === 'here'} />
              <p>
                <strong role="status">Waiting for the phone…</strong>{' '}
                <span class="dim">
                  The code works once, for another {countdownWords(Date.parse(pairing.expiresAt), now)}{' '}
                  minutes.
                </span>
              </p>
            </>
          )}
          {isOver && (
            <div class="notice wait">
              <p role="status">The code has expired.</p>
              <button type="button" class="primary" onClick={() => void ask()}>
                Make a new code
              </button>
            </div>
          )}
        </>
      )}
    </>
  )
}

function PairingSteps({ pairing, isHere }: { pairing: PairingResource; isHere: boolean }) {
  const here = pairingAddress(urlOf(''), pairing)
  const isElsewhere = new URL(here).host !== new URL(pairing.pairUrl).host
  // A phone on the same network reaches the gateway at the address of this page. Only localhost would mean
  // the phone itself.
  const isLocal = /^(localhost|127\.|\[::1\])/.test(new URL(here).hostname)
  const url = isLocal ? pairing.pairUrl : here
  const server = url.replace(/\/device\/v1\/pair.*$/, '')
  const fingerprint = fingerprintFor(url, pairing.authority)
  const lines = `${INSTALL} && \\\n${termuxLines({ server, code: pairing.code, fingerprint })}`
  return (
    <>
      {isHere ? (
        <section class="card">
          <h2>On this phone, in Termux</h2>
          <p>
            Install Termux and Termux:API, both from F-Droid, then paste these lines into Termux. Android asks
            whether Termux:API may send SMS: allow it.
          </p>
          <Copyable text={lines} label="the lines" />
        </section>
      ) : (
        <div class="grid">
          <section class="card">
            <h2>Scan this with the phone</h2>
            <p>Its camera opens a page that says which apps to install, with lines to copy.</p>
            <Qr text={url} label={`QR code of ${url}`} />
          </section>
          <section class="card">
            <h2>Or type the code</h2>
            <p>For an app that asks for a server and a code.</p>
            <p class="code">{grouped(pairing.code)}</p>
            <dl class="facts">
              <dt>Server</dt>
              <dd class="mono">{server}</dd>
              {fingerprint !== null && (
                <>
                  <dt>Authority</dt>
                  <dd class="mono">{fingerprint}</dd>
                </>
              )}
            </dl>
          </section>
        </div>
      )}
      {isElsewhere && (
        <p class="hint">
          The configured address of the gateway is {new URL(pairing.pairUrl).host}, but you opened{' '}
          {new URL(here).host}. Phones use the {isLocal ? 'first' : 'second'} address. Set public_url in the
          configuration to the right one.
        </p>
      )}
    </>
  )
}

function Connected({ device }: { device: DeviceListItem }) {
  const isOnline = device.status !== 'offline'
  const facts = [batteryWords(device), device.simInfo.carrier].filter(Boolean).join(', ')
  return (
    <>
      <PageHead title="Add a phone" />
      <div class="notice good" role="status">
        <h2>{isOnline ? `${device.name} is connected` : `${device.name} is paired and about to connect…`}</h2>
        {isOnline && <p>{facts}</p>}
      </div>
      <p class="row">
        <a class="button primary" href="#/messages/new">
          Send a test text to yourself
        </a>
        <a class="button" href={`#/devices/${device.deviceId}`}>
          Show the phone
        </a>
      </p>
    </>
  )
}
