/** The output of `roost device pair` for people. */
import { renderUnicodeCompact } from 'uqr'
import type { PairingResource } from '#contracts/device.ts'
import { fingerprintFor, PAIRING_PATH, pretendPhoneCommand } from '#contracts/pairing-address.ts'

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
  const server = pairUrl.slice(0, pairUrl.lastIndexOf(PAIRING_PATH))
  const fingerprint = fingerprintFor(pairUrl, authority)
  const first = isRunning
    ? 'Do one of these:'
    : 'The gateway is not running. Start it first:\n\n  roost serve\n\nThen do one of these:'
  const termux = `
* Android phone: scan the QR code, or open the address above on the phone. Its
  page shows the steps.
`
  // The usual build of the app accepts only https.
  const smsgate = `
* Android phone with the app SMSGate: in its Settings, Cloud server, set this as
  the API URL:

    ${server}/smsgate/v1

  Then choose Offline, By Code, and type the code above.
`
  const computer = `
* Computer: run this on it. It pretends to be a phone: it prints each text
  instead of sending it.

    ${pretendPhoneCommand({ server, code, fingerprint })}
`
  return `
The code works once, within ten minutes.

${first}
${termux}${server.startsWith('https:') ? smsgate : ''}${computer}
Then see whether the device is online:

  roost device list`
}
