/** The console: what the owner sees at the gateway's address. */
import { render } from 'preact'
import { App } from '#console/app.tsx'
import { showScheme } from '#console/pages/settings.tsx'
import { findSession, session } from '#console/session.ts'

showScheme()
const root = document.getElementById('console')
if (root !== null) render(<App />, root)
findSession().catch(() => {
  // The log-in is shown, and says so itself when the gateway is away.
  session.value = null
})
