import { readFileSync, writeFileSync } from 'node:fs'
import type { OwnLease } from '#app/cluster/member.ts'
import type { DataDirectory } from '#storage/data-directory.ts'

/** Keeps the lease in a file of the data directory. Without it a restart waits until the lease ends. */
export function ownLeaseIn({ clusterLease: file }: DataDirectory): OwnLease {
  return {
    read() {
      try {
        return /^\d{1,20}$/.exec(readFileSync(file, 'utf8'))?.[0] ?? null
      } catch {
        return null
      }
    },
    note(lease) {
      try {
        writeFileSync(file, lease, { mode: 0o600 })
      } catch {
        // The disk is full.
      }
    },
  }
}
