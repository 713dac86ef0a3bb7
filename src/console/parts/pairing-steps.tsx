/** What to do on the phone, or in a terminal, to pair a phone with a code. */
import { encode } from 'uqr'
import { isLocalHost, urlOf } from '#console/api.ts'
import { t } from '#console/language.ts'
import { Copyable, CopyButton, InClone } from '#console/parts/copyable.tsx'
import { T } from '#console/parts/t.tsx'
import { grouped } from '#console/words-of-states.ts'
import type { PairingResource } from '#contracts/device.ts'
import {
  fingerprintFor,
  type PairingParameters,
  pairingAddress,
  pretendPhoneCommand,
  serverOfPairing,
  termuxCommands,
} from '#contracts/pairing-address.ts'

/** What the agent needs in Termux. */
const INSTALL = 'pkg install -y termux-api nodejs curl'

interface PairingAddresses extends PairingParameters {
  /** The address that the phone opens. */
  readonly url: string
  /** This page was opened at `localhost`, which a phone cannot reach. */
  readonly isLocal: boolean
  /** The host of this page, if it is not the host in the configured address; else null. */
  readonly otherHost: string | null
}

/**
 * Where a phone reaches the gateway: at the address of this page, or at the configured address if this page
 * was opened at `localhost`.
 */
function addressesFor(pairing: PairingResource): PairingAddresses {
  const here = new URL(pairingAddress(urlOf(''), pairing))
  const isLocal = isLocalHost(here.hostname)
  const url = isLocal ? pairing.pairUrl : here.href
  return {
    url,
    isLocal,
    otherHost: here.host === new URL(pairing.pairUrl).host ? null : here.host,
    server: serverOfPairing(url),
    code: pairing.code,
    fingerprint: fingerprintFor(url, pairing.authority),
  }
}

/** Where a phone reaches the gateway, without a slash at its end. */
export function serverFor(pairing: PairingResource): string {
  return addressesFor(pairing).server
}

interface PairingStepsProps {
  readonly pairing: PairingResource
  /** This page is open on the phone itself, which cannot scan its own screen. */
  readonly isHere: boolean
}

export function PairingSteps({ pairing, isHere }: PairingStepsProps) {
  const addresses = addressesFor(pairing)
  return (
    <>
      {isHere ? <TermuxSteps addresses={addresses} /> : <ScanSteps addresses={addresses} />}
      {addresses.otherHost !== null && (
        <p class="hint">
          <T>
            The configured address of the gateway is {{ configured: new URL(pairing.pairUrl).host }}, but you
            opened {{ opened: addresses.otherHost }}. If phones should use another address than{' '}
            {{ used: addresses.isLocal ? new URL(pairing.pairUrl).host : addresses.otherHost }}, set
            public_url in the configuration.
          </T>
        </p>
      )}
    </>
  )
}

function TermuxSteps({ addresses }: { addresses: PairingAddresses }) {
  return (
    <section class="card">
      <h2>{t('On this phone, in Termux')}</h2>
      <p>
        <T>
          Install Termux and Termux:API, both from F-Droid, then paste these lines into Termux. Android asks
          whether Termux:API may send SMS: allow it.
        </T>
      </p>
      <Copyable text={`${INSTALL} && \\\n${termuxCommands(addresses)}`} label={t('the lines')} />
    </section>
  )
}

function ScanSteps({ addresses: { url, server, code, fingerprint } }: { addresses: PairingAddresses }) {
  return (
    <div class="grid">
      <section class="card">
        <h2>{t('Scan this with the phone')}</h2>
        <p>{t('Its camera opens a page that says which apps to install, with lines to copy.')}</p>
        <Qr text={url} label={t('QR code of {url}', { url })} />
      </section>
      <section class="card">
        <h2>{t('Or type the code')}</h2>
        <p>{t('For an app that asks for a server and a code.')}</p>
        <div class="row">
          <p class="code">{grouped(code)}</p>
          <CopyButton key={code} text={code} label={t('the code')} />
        </div>
        <dl class="facts stacked">
          <dt>{t('Server')}</dt>
          <dd class="row">
            <span class="mono">{server}</span>
            <CopyButton text={server} label={t('the server')} />
          </dd>
          {fingerprint !== null && (
            <>
              <dt>{t('Authority')}</dt>
              <dd class="row">
                <span class="mono">{fingerprint}</span>
                <CopyButton text={fingerprint} label={t('the authority')} />
              </dd>
            </>
          )}
        </dl>
      </section>
    </div>
  )
}

/** For people without a phone at hand: the log driver prints the texts in a terminal. */
export function PretendPhone({ pairing: { code, authority } }: { pairing: PairingResource }) {
  // This computer has just reached the gateway at the address of this page.
  const server = urlOf('').replace(/\/$/, '')
  const line = pretendPhoneCommand({ server, code, fingerprint: fingerprintFor(server, authority) })
  return (
    <details>
      <summary>{t('No phone at hand? Try it with a pretend phone')}</summary>
      <section class="card">
        <p>
          <T>
            Run this in a terminal on the machine that Roost runs on. It prints the texts, and nobody receives
            them. Ctrl+C ends it. <InClone />
          </T>
        </p>
        <Copyable key={code} text={line} label={t('the pretend phone’s command')} />
        <p class="hint">
          <T>
            Remove the pretend phone under Phones before you rely on Roost: while it runs, it takes texts that
            a real phone would send.
          </T>
        </p>
      </section>
    </details>
  )
}

/** A QR code, always dark on light, because many cameras cannot read light on dark. */
function Qr({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { border: 2 })
  const path = data
    .flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : [])))
    .join('')
  return (
    <svg
      class="qr"
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={label}
      shape-rendering="crispEdges"
    >
      <rect class="qr-ground" width={size} height={size} />
      <path class="qr-ink" d={path} />
    </svg>
  )
}
