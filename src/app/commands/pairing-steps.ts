/** The output of `roost device pair` for people. */
import { renderUnicodeCompact } from 'uqr'
import type { PairingResource } from '#contracts/device.ts'
import {
  fingerprintFor,
  pretendPhoneCommand,
  serverOfPairing,
  smsgateCloudAddress,
} from '#contracts/pairing-address.ts'

/**
 * Draws a QR code in fixed colours: in the colours of a light terminal it would be inverted, and some phones
 * cannot read that. A terminal without colours gets the plain blocks.
 *
 * @see https://no-color.org
 */
export function drawQrCode(text: string, { NO_COLOR, TERM }: NodeJS.ProcessEnv): string {
  const drawn = renderUnicodeCompact(text, { border: 2 })
  if (TERM === 'dumb' || (NO_COLOR ?? '') !== '') return drawn
  return drawn
    .split('\n')
    .map(line => `\u001b[97;40m${line}\u001b[0m`)
    .join('\n')
}

/** What to do next, for a terminal of 80 columns. Addresses and commands have lines of their own. */
export function pairingSteps(
  { code, pairUrl, authority }: PairingResource,
  { isRunning }: { readonly isRunning: boolean },
): string {
  const server = serverOfPairing(pairUrl)
  const fingerprint = fingerprintFor(pairUrl, authority)
  const first = isRunning
    ? 'Do one of these:'
    : 'The gateway is not running. Start it first:\n\n  roost serve\n\nThen do one of these:'
  const cloud = smsgateCloudAddress(server, authority)
  const local = `
* Android phone with the app SMSGate, in this network (the easiest way). It
  needs no code. Switch on Local server in the app, then run this with the
  address that the app shows:

    roost device add smsgate http://192.168.1.20:8080
`
  const elsewhere =
    cloud === null
      ? `
* Android phone with the app SMSGate, elsewhere: the app needs an HTTPS address
  of the gateway. "roost certificate create" makes a certificate for one.
`
      : `
* Android phone with the app SMSGate, elsewhere: in its Settings, Cloud server,
  set this as the API URL, and SSE Only as the notification channel:

    ${cloud}

  Then choose Offline, By Code, and type the code above.
`
  const termux = `
* Android phone with Termux: scan the QR code, or open the address above on the
  phone. Its page shows the steps.
`
  const computer = `
* Computer: run this on it. It pretends to be a phone: it prints each text
  instead of sending it.

    ${pretendPhoneCommand({ server, code, fingerprint })}
`
  return `
The code works once, within ten minutes.

${first}
${local}${elsewhere}${termux}${computer}
Then see whether the device is online:

  roost device list`
}
