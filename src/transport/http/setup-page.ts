/** The page behind the setup link: one form, no script, nothing loaded from anywhere. */
import { PASSWORD_LENGTH_MAX, PASSWORD_LENGTH_MIN } from '#contracts/bounds.ts'
import { escapeHtml, htmlPage, pageHeaders } from '#transport/http/html-page.ts'

/** The form posts to where it came from; nothing else is allowed to the page. */
export const SETUP_PAGE_HEADERS = pageHeaders()

export interface SetupForm {
  readonly token: string
  readonly email: string
  /** What was wrong with what was sent. */
  readonly faults: readonly string[]
}

export function setupForm({ token, email, faults }: SetupForm): string {
  const alert = faults.length === 0 ? '' : `<p role="alert">${faults.map(escapeHtml).join('<br>')}</p>`
  return htmlPage(
    'Set up Roost',
    `<p>Choose how you log in as the owner of this gateway.</p>
${alert}
<form method="post" action="setup">
<input type="hidden" name="token" value="${escapeHtml(token)}">
<label for="email">E-mail address</label>
<input id="email" name="email" type="email" required maxlength="254" autocomplete="username"
  value="${escapeHtml(email)}">
<label for="password">Password, at least ${PASSWORD_LENGTH_MIN} characters</label>
<input id="password" name="password" type="password" required minlength="${PASSWORD_LENGTH_MIN}"
  maxlength="${PASSWORD_LENGTH_MAX}" autocomplete="new-password">
<button>Save</button>
</form>`,
  )
}

export function setupNotice(title: string, text: string): string {
  return htmlPage(title, `<p>${escapeHtml(text)}</p>`)
}

/** After the password is chosen: the three steps that come next. */
export function setupDone(email: string): string {
  return htmlPage(
    'All set',
    `<p>You log in as ${escapeHtml(email)} from now on. This link does not work any more.</p>
<p>What comes next, in a terminal on this machine (in a checkout, <code>roost</code> is
<code>npm run -s roost --</code>):</p>
<ol>
<li>Pair a phone: <pre>roost device pair</pre></li>
<li>Send a first text: <pre>roost send +14155550123 'Hello from my own phone'</pre></li>
<li>An address for monitors: <pre>roost webhook create monitoring --recipient +14155550123</pre></li>
</ol>`,
  )
}
