import { setTimeout } from 'node:timers/promises'

/** Waits for real time: for leases of etcd, which follow no clock of ours, and between two looks. */
export function realPause(ms: number): Promise<void> {
  return setTimeout(ms)
}
