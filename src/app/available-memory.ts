import { totalmem } from 'node:os'

/**
 * The memory of the machine, or of the control group if that allows less (`MemoryHigh=` and `MemoryMax=` of
 * systemd), in bytes.
 */
export function availableMemory(): number {
  // 0: no limit is known. Without a limit Linux may also report more than the machine has.
  return Math.min(process.constrainedMemory() || Number.POSITIVE_INFINITY, totalmem())
}
