/** The page behind a pairing code, opened on the phone: each step, with lines to copy. */
import { createHash } from 'node:crypto'
import { termuxLines } from '#contracts/pairing-address.ts'
import { escapeHtml, htmlPage, pageHeaders } from '#transport/http/html-page.ts'

/** `navigator.clipboard` is not there on plain HTTP; a selection can be copied everywhere. */
const SCRIPT = `
for (const button of document.querySelectorAll('button[data-copies]')) button.onclick = () => {
  const line = document.getElementById(button.dataset.copies);
  getSelection().selectAllChildren(line);
  button.textContent = document.execCommand('copy') ? 'Copied' : 'Press long to copy';
};
`
export const PAIRING_PAGE_HEADERS = pageHeaders({
  'script-src': `'sha256-${createHash('sha256').update(SCRIPT).digest('base64')}'`,
})

/** `code` was checked, and is open. */
export function pairingPage({
  publicUrl,
  code,
  fingerprint,
}: {
  readonly publicUrl: string
  readonly code: string
  /** Of the gateway's own authority; null: the phone needs none, or knows it. */
  readonly fingerprint: string | null
}): string {
  const run = termuxLines({ server: publicUrl, code, fingerprint })
  return htmlPage(
    'Pair this phone',
    `<p>Do this on the Android phone whose SIM is to send. The code works once, for ten minutes.</p>
<ol>
<li>Install these apps from F-Droid (those of other stores do not fit together):
<a href="https://f-droid.org/packages/com.termux/">Termux</a> and
<a href="https://f-droid.org/packages/com.termux.api/">Termux:API</a>. With
<a href="https://f-droid.org/packages/com.termux.boot/">Termux:Boot</a>, opened once, the agent starts
with the phone.</li>
<li>In Termux, install what it needs:${copied('install', 'pkg install -y termux-api nodejs curl')}</li>
<li>Start it:${copied('run', run)}
Android then asks whether Termux:API may send SMS: allow it. The agent says "Connected" when it is ready.
It keeps the phone awake (<code>termux-wake-lock</code>) and writes the script for Termux:Boot.</li>
<li>Let Android leave it alone: Settings, Apps, Termux, Battery, Unrestricted; the same for Termux:API.</li>
<li>On the gateway, send a text:${copied('send', "roost send +14155550123 'Hello from my own phone'")}</li>
</ol>
<script>${SCRIPT}</script>`,
  )
}

/** Shown instead of the steps: the code is wrong, or there were too many wrong codes. */
export function pairingNotice(sentence: string): string {
  return htmlPage(
    'This code does not work',
    `<p role="alert">${sentence}</p>
<p>Make a new one on the gateway, and open its address:</p><pre>roost device pair</pre>`,
  )
}

function copied(id: string, line: string): string {
  return `<pre id="${id}">${escapeHtml(line)}</pre>
<button type="button" data-copies="${id}">Copy</button><br>`
}
