/** The frame of the HTML pages: one style sheet, and nothing from other hosts. */
import { createHash } from 'node:crypto'

const STYLE = `
body { font: 16px/1.5 system-ui, sans-serif; max-width: 26rem; margin: 4rem auto; padding: 0 1rem;
  color: #1c1e21; background: #fff }
h1 { font-size: 1.5rem }
button { font: inherit; margin-top: 1.5rem; padding: .5rem 1.25rem; border: 0; border-radius: .25rem;
  color: #fff; background: #1f5fbf }
pre { white-space: pre-wrap; overflow-wrap: anywhere; padding: .5rem; border: 1px solid #8a8f98;
  border-radius: .25rem }
pre > span { display: inline-block }
li { margin: 1rem 0 }
[role=alert] { padding: .5rem .75rem; border-left: .25rem solid #b3261e; background: #fbeceb; color: #1c1e21 }
@media (prefers-color-scheme: dark) { body { color: #e6e7ea; background: #17181a } }
`

const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64')

/**
 * Headers for a page that may load nothing but its own style. `more`: further sources, by directive of the
 * Content-Security-Policy.
 */
export function pageHeaders(more: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> {
  return {
    'Content-Security-Policy': [
      "default-src 'none'",
      `style-src 'sha256-${STYLE_HASH}'`,
      ...Object.entries(more).map(([directive, sources]) => `${directive} ${sources}`),
      "form-action 'none'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ].join('; '),
    'Cache-Control': 'no-store',
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
  }
}

export function htmlPage(title: string, main: string): string {
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

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, character => ENTITIES[character] ?? character)
}
