/** The page behind the setup link: one form, no script, nothing loaded from anywhere. */
import { createHash } from 'node:crypto'
import { PASSWORD_LENGTH_MAX, PASSWORD_LENGTH_MIN } from '#contracts/bounds.ts'

const STYLE = `
body { font: 16px/1.5 system-ui, sans-serif; max-width: 26rem; margin: 4rem auto; padding: 0 1rem;
  color: #1c1e21; background: #fff }
h1 { font-size: 1.5rem }
label { display: block; margin: 1rem 0 .25rem }
input { font: inherit; width: 100%; padding: .5rem; box-sizing: border-box; border: 1px solid #8a8f98;
  border-radius: .25rem; color: inherit; background: transparent }
button { font: inherit; margin-top: 1.5rem; padding: .5rem 1.25rem; border: 0; border-radius: .25rem;
  color: #fff; background: #1f5fbf }
[role=alert] { padding: .5rem .75rem; border-left: .25rem solid #b3261e; background: #fbeceb; color: #1c1e21 }
@media (prefers-color-scheme: dark) { body { color: #e6e7ea; background: #17181a } }
`

const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64')

/** The form posts to where it came from; nothing else is allowed to the page. */
export const SETUP_PAGE_HEADERS: Readonly<Record<string, string>> = {
  'Content-Security-Policy': [
    "default-src 'none'",
    `style-src 'sha256-${STYLE_HASH}'`,
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
}

export interface SetupForm {
  readonly token: string
  readonly email: string
  /** What was wrong with what was sent. */
  readonly faults: readonly string[]
}

export function setupForm({ token, email, faults }: SetupForm): string {
  const alert = faults.length === 0 ? '' : `<p role="alert">${faults.map(escapeHtml).join('<br>')}</p>`
  return page(
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
  return page(title, `<p>${escapeHtml(text)}</p>`)
}

function page(title: string, main: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${escapeHtml(title)}</h1>
${main}
</main>
</body>
</html>
`
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, character => ENTITIES[character] ?? character)
}
