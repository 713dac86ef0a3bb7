/**
 * Chooses the largest size of V8's young generation, for listeners and the writer. V8 enlarges a young
 * generation step by step while a thread works, and rarely shrinks it. So this limit decides how much memory
 * a gateway needs after hours. A gateway with little memory gets a low limit.
 */
import type { ResourceLimits } from 'node:worker_threads'
import { availableMemory } from '#app/available-memory.ts'

const MB = 1_048_576
/** Each minor collection copies the objects of all open requests. A large size means fewer collections. */
const SIZE_MB_MAX = 64
/** At 200 sends a second, this size costs no measurable processor time. */
const SIZE_MB_MIN = 16
/** The share of the process's memory that each of these threads may use for its young generation. */
const SHARE = 1 / 16

/** The limits of the heap of a listener or the writer. */
export function heapLimits(): ResourceLimits {
  return { maxYoungGenerationSizeMb: youngGenerationMb() }
}

/** @param memoryBytes the memory that the gateway may use; default: what the system lets it use */
export function youngGenerationMb(memoryBytes = availableMemory()): number {
  const share = Math.floor((memoryBytes * SHARE) / MB)
  return Math.min(Math.max(share, SIZE_MB_MIN), SIZE_MB_MAX)
}
