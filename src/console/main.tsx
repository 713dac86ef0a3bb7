/** The entry of the console, the page at the gateway's address. */
import { render } from 'preact'
import { App } from '#console/app.tsx'
import { showScheme } from '#console/pages/settings.tsx'
import { findSession, session } from '#console/session.ts'

showScheme()
const root = document.getElementById('console')
if (root !== null) render(<App />, root)
findSession().catch(() => {
  // The login page is shown, and reports it if the gateway does not answer.
  session.value = null
})
