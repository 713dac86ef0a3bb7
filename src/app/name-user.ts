import { readFileSync } from 'node:fs'

/** The name of a user of this machine; the id as text where the machine has no name for it. */
export function nameUser(uid: number): string {
  try {
    const users = readFileSync('/etc/passwd', 'utf8')
      .split('\n')
      .map(line => line.split(':'))
    return users.find(([, , id]) => id === String(uid))?.[0] ?? String(uid)
  } catch {
    return String(uid)
  }
}
