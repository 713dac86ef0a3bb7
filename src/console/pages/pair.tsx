import { useEffect, useRef, useState } from 'preact/hooks'
import { call } from '#console/api.ts'
import { isPretend, PRETEND_WORDS } from '#console/is-pretend.ts'
import { t } from '#console/language.ts'
import { TEST_TEXT } from '#console/onboarding.ts'
import { AddModem } from '#console/parts/add-modem.tsx'
import { AddSmsgate, CloudSteps } from '#console/parts/add-smsgate.tsx'
import { Dotted, Fault, Loading, PageHead, useNow } from '#console/parts/basics.tsx'
import { PairingSteps, PretendPhone } from '#console/parts/pairing-steps.tsx'
import { T } from '#console/parts/t.tsx'
import { phoneFacts } from '#console/phone-facts.ts'
import { linkTo } from '#console/route.ts'
import { countdownWords } from '#console/time-words.ts'
import { useAction, useResource } from '#console/use-resource.ts'
import type { DeviceListItem, PairingResource } from '#contracts/device.ts'

/**
 * `smsgate`: the gateway calls the phone's app SMSGate. `cloud`: that app calls the gateway. `other`: another
 * phone scans a QR code. `here`: this phone runs commands in Termux. `modem`: one of the gateway's machine.
 */
type Way = 'smsgate' | 'cloud' | 'other' | 'here' | 'modem'

type WayChoice = readonly [way: Way, word: string, about: string]

const WAYS: readonly WayChoice[] = [
  [
    'smsgate',
    t('A phone in this network (easiest)'),
    t('An Android phone in the same Wi-Fi, with the app SMSGate'),
  ],
  ['cloud', t('A phone somewhere else'), t('The same app, which calls Roost over the Internet')],
  ['modem', t('A USB modem or HAT'), t('With a SIM card, in the machine that Roost runs on')],
]
const MORE_WAYS: readonly WayChoice[] = [
  ['other', t('Another phone, with the app Termux'), t('That phone scans a QR code')],
  ['here', t('This phone, with the app Termux'), t('You paste lines into the app')],
]

/** Pairs a phone, and shows it when it has connected. A pretend phone stands in for a real one. */
export function PairPage() {
  const devices = useResource<readonly DeviceListItem[]>('devices', ['device'])
  const idsBefore = useRef<ReadonlySet<string> | null>(null)
  const [pairing, setPairing] = useState<PairingResource | null>(null)
  const [way, setWay] = useState<Way>('smsgate')
  const renewed = useRef(0)
  const make = useAction()
  const now = useNow(1_000)
  const ask = () =>
    make.run(async () => setPairing(await call<PairingResource>('POST', 'devices/pairings', {})))
  useEffect(() => void ask(), [])
  if (idsBefore.current === null && devices.data !== undefined)
    idsBefore.current = new Set(devices.data.map(({ deviceId }) => deviceId))
  const newDevice = devices.data?.find(({ deviceId }) => idsBefore.current?.has(deviceId) === false)
  const leftMs = pairing === null ? 0 : Date.parse(pairing.expiresAt) - now
  const isOver = pairing !== null && leftMs <= 0
  useEffect(() => {
    // Replace an expired code only once, so that a page that is left open does not make codes forever.
    if (!isOver || newDevice !== undefined || renewed.current > 0) return
    renewed.current += 1
    void ask()
  }, [isOver])
  if (newDevice !== undefined) return <Connected device={newDevice} />
  return (
    <>
      <PageHead title={t('Add a phone')} />
      <Ways way={way} onWay={setWay} />
      {way === 'smsgate' && <AddSmsgate onAdded={devices.reload} />}
      {way === 'modem' && <AddModem onAdded={devices.reload} />}
      {way !== 'smsgate' && way !== 'modem' && (
        <>
          <Fault error={make.error} retry={() => void ask()} />
          {pairing === null && make.error === null && <Loading />}
          {pairing !== null && !isOver && (
            <>
              {way === 'cloud' ? (
                <CloudSteps pairing={pairing} />
              ) : (
                <PairingSteps pairing={pairing} isHere={way === 'here'} />
              )}
              <p>
                <strong role="status">{t('Waiting for the phone…')}</strong>{' '}
                <span class="dim">
                  <T>
                    The code works once. Time left:{' '}
                    {{ countdown: countdownWords(Date.parse(pairing.expiresAt), now) }}
                  </T>
                </span>
              </p>
            </>
          )}
          {isOver && (
            <div class="notice wait">
              <p role="status">{t('The code has expired.')}</p>
              <button type="button" class="primary" onClick={() => void ask()}>
                {t('Make a new code')}
              </button>
            </div>
          )}
        </>
      )}
      {pairing !== null && !isOver && way !== 'modem' && <PretendPhone pairing={pairing} />}
    </>
  )
}

/** The ways to connect a phone, of which one is chosen. Few people need the last ones. */
function Ways({ way, onWay }: { way: Way; onWay: (way: Way) => void }) {
  const [hasMore, setMore] = useState(false)
  return (
    <fieldset class="ways">
      <legend>{t('How do you want to connect it?')}</legend>
      {[...WAYS, ...(hasMore ? MORE_WAYS : [])].map(([one, word, about]) => (
        <button key={one} type="button" aria-pressed={one === way} onClick={() => onWay(one)}>
          <strong>{word}</strong>
          <span class="dim hint">{about}</span>
        </button>
      ))}
      {!hasMore && (
        <button type="button" onClick={() => setMore(true)}>
          {t('More ways')}
        </button>
      )}
    </fieldset>
  )
}

function Connected({ device }: { device: DeviceListItem }) {
  const isOnline = device.status !== 'offline'
  const facts = phoneFacts(device)
  return (
    <>
      <PageHead
        title={
          isOnline
            ? t('{name} is connected', { name: device.name })
            : t('{name} is paired and about to connect…', { name: device.name })
        }
      />
      <div class="notice good" role="status">
        {isOnline ? <Dotted parts={facts} /> : <p>{t('It connects by itself.')}</p>}
        {isPretend(device) && <p>{PRETEND_WORDS}</p>}
      </div>
      <p class="row">
        <a class="button primary" href={linkTo('texts/new', { text: TEST_TEXT })}>
          {t('Send a test text to yourself')}
        </a>
        <a class="button" href={`#/devices/${device.deviceId}`}>
          {t('Show the phone')}
        </a>
      </p>
    </>
  )
}
