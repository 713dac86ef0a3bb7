/** The entry of the console, the page at the gateway's address. */
import { render } from 'preact'
import { App } from '#console/app.tsx'
import { showScheme } from '#console/scheme.ts'
import { findSession, session } from '#console/session.ts'

showScheme()
// Before the first rendering, so that a browser without a session draws the login page at once.
findSession().catch(() => {
  // Show the login page. It says that the gateway does not answer when a person tries to log in.
  session.value = null
})
const root = document.getElementById('console')
if (root !== null) render(<App />, root)
