/** What the role of a login may do. The gateway refuses the rest; the pages only leave it out. */
import type { Role } from '#contracts/user.ts'

/** The least first. */
const ORDER: readonly Role[] = ['viewer', 'operator', 'owner']

const OWN_PAGES: readonly string[] = ['forwards', 'users', 'audit', 'notifications']
const OWN_PARTS: readonly string[] = ['devices/pair', 'settings/backup']

export function isEnough(role: Role, needed: Role): boolean {
  return ORDER.indexOf(role) >= ORDER.indexOf(needed)
}

/** The least role that a page is for. */
export function neededFor(page: string, id: string | null): Role {
  if (OWN_PAGES.includes(page) || OWN_PARTS.includes(`${page}/${id}`)) return 'owner'
  return id === 'new' ? 'operator' : 'viewer'
}
