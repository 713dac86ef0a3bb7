/** The entry of the console, the page at the gateway's address. */
import { render } from 'preact'
import { sessionHalf } from '#console/api.ts'
import { App } from '#console/app.tsx'
import { showScheme } from '#console/scheme.ts'
import { findSession, session } from '#console/session-of-reader.ts'
import { fetchEarly } from '#console/use-resource.ts'

/** What the pages that people open first need, by their addresses. */
const EARLY: Readonly<Record<string, readonly string[]>> = {
  '': ['devices', 'status', 'sms?limit=50'],
  '#/': ['devices', 'status', 'sms?limit=50'],
  '#/texts': ['texts?limit=50', 'devices', 'status'],
  '#/devices': ['devices', 'status'],
}

showScheme()
if (sessionHalf() !== null) fetchEarly(EARLY[location.hash] ?? [])
// Before the first rendering, so that a browser without a session draws the login page at once.
findSession().catch(() => {
  // Show the login page. It says that the gateway does not answer when a person tries to log in.
  session.value = null
})
const root = document.getElementById('console')
if (root !== null) render(<App />, root)
