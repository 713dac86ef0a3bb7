/** The page that a phone opens to pair: the steps, with command lines to copy. */
import { createHash } from 'node:crypto'
import { termuxCommands } from '#contracts/pairing-address.ts'
import { escapeHtml, htmlPage, pageHeaders } from '#transport/http/html-page.ts'

/** Copies by selection, because `navigator.clipboard` does not exist on plain HTTP. */
const SCRIPT = `
for (const button of document.querySelectorAll('button[data-copies]')) button.onclick = () => {
  const line = document.getElementById(button.dataset.copies);
  getSelection().selectAllChildren(line);
  button.textContent = document.execCommand('copy') ? 'Copied' : 'Long-press to copy';
};
`
export const PAIRING_PAGE_HEADERS = pageHeaders({
  'script-src': `'sha256-${createHash('sha256').update(SCRIPT).digest('base64')}'`,
})

/** The page with the steps. `code` must be a valid pairing code. */
export function pairingPage({
  publicUrl,
  code,
  fingerprint,
}: {
  readonly publicUrl: string
  readonly code: string
  /** The fingerprint of the gateway's own certificate authority; null: the phone does not need it. */
  readonly fingerprint: string | null
}): string {
  const run = termuxCommands({ server: publicUrl, code, fingerprint })
  return htmlPage(
    'Pair this phone',
    `<p>Do this on the Android phone whose SIM is to send the texts. The code works once, for ten minutes.</p>
<ol>
<li>Install these apps from F-Droid (the versions of other stores do not work together):
<a href="https://f-droid.org/packages/com.termux/">Termux</a> and
<a href="https://f-droid.org/packages/com.termux.api/">Termux:API</a>. With
<a href="https://f-droid.org/packages/com.termux.boot/">Termux:Boot</a>, opened once, the agent starts
with the phone.</li>
<li>In Termux, install the packages that the agent needs:
${copiedCommand('install', 'pkg install -y termux-api nodejs curl')}</li>
<li>Start the agent:${copiedCommand('run', run)}
Android then asks whether Termux:API may send SMS: allow it. The agent says "Connected" when it is ready.
The agent keeps the phone awake (<code>termux-wake-lock</code>) and writes the script for Termux:Boot.</li>
<li>Keep Android from stopping the apps: Settings, Apps, Termux, Battery, Unrestricted; the same for
Termux:API.</li>
<li>Switch RCS off in Google Messages: what people answer by RCS never arrives.</li>
<li>On the gateway, send a text:${copiedCommand('send', TRY_IT)}</li>
</ol>
<script>${SCRIPT}</script>`,
  )
}

/** The page for a wrong code, or after too many wrong codes. */
export function pairingNotice(sentence: string): string {
  return htmlPage(
    'This code does not work',
    `<p role="alert">${sentence}</p>
<p>Make a new code on the gateway, and open the address of the new code:</p><pre>roost device pair</pre>`,
  )
}

const TRY_IT = "roost send +14155550123 'Hello from my own phone'"

/** Longer words, such as addresses, may not fit on a line of a small screen. */
const WHOLE_LENGTH_MAX = 24

/**
 * The HTML of a command, with a button that copies it. Only long words may wrap, because an option that is
 * cut in two would mislead.
 */
function copiedCommand(id: string, line: string): string {
  const words = escapeHtml(line).replace(/\S+/g, word =>
    word.length > WHOLE_LENGTH_MAX ? word : `<span>${word}</span>`,
  )
  return `<pre id="${id}">${words}</pre>
<button type="button" data-copies="${id}">Copy</button><br>`
}
