/** The session of the person who is logged in. */

import { signal } from '@preact/signals'
import { call, endSession, isLoggedOut, keepHalf, sessionHalf } from '#console/api.ts'
import { startLive, stopLive } from '#console/live-news.ts'
import { leaveAllAddresses } from '#console/new-address.ts'
import { isEnough } from '#console/roles.ts'
import { clearCache } from '#console/use-resource.ts'
import { forgetTyped } from '#console/use-typed.ts'
import type { OpenedSessionResource, SessionResource } from '#contracts/session.ts'
import type { Role } from '#contracts/user.ts'

/** Undefined: not known yet. Null: not logged in. */
export const session = signal<SessionResource | null | undefined>(undefined)

/** Whether the person who is logged in may do what this role may. */
export function may(role: Role): boolean {
  const own = session.value?.account.role
  return own !== undefined && isEnough(own, role)
}

export async function findSession(): Promise<void> {
  // A session needs both halves. Without the half that the page stores, show the login at once.
  if (sessionHalf() === null) {
    session.value = null
    return
  }
  const found = await call<SessionResource | null>('GET', 'session')
  session.value = found
  if (found !== null) startLive()
}

export async function logIn(email: string, password: string): Promise<void> {
  storeSession(await call<OpenedSessionResource>('POST', 'session', { email, password }))
}

/** Stores a new session after a login or after the setup, which also logs in. */
export function storeSession({ half, ...opened }: OpenedSessionResource): void {
  keepHalf(half)
  if (session.value !== undefined && session.value?.account.email !== opened.account.email) {
    clearCache()
    forgetTyped()
    leaveAllAddresses()
  }
  isLoggedOut.value = false
  session.value = opened
  startLive()
}

export async function logOut(next = ''): Promise<void> {
  stopLive()
  await endSession()
  keepHalf(null)
  clearCache()
  forgetTyped()
  leaveAllAddresses()
  isLoggedOut.value = false
  session.value = null
  // The next person to log in begins at Home, unless a link brought them here.
  location.hash = next
}
