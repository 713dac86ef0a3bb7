/** Draws the faults of the simulated world: crashes, delays and losses, until the trial calms down. */
import type { Random } from '#test/kit/random.ts'

export class Faults {
  readonly random: Random
  /** The faults are over: from now on everything works. */
  calm = false

  constructor(random: Random) {
    this.random = random
  }

  chance(probability: number): boolean {
    return !this.calm && this.random.chance(probability)
  }

  /** Whether a phone's program dies at this step. */
  phoneCrashes(): boolean {
    return this.chance(0.05)
  }

  gatewayCrashes(): boolean {
    return this.chance(0.05)
  }

  storageFails(): boolean {
    return this.chance(0.01)
  }

  connectionDrops(): boolean {
    return this.chance(0.03)
  }

  /** How long a frame travels. One in five is late, some by more than a phone waits. */
  frameDelayMs(): number {
    if (!this.chance(0.2)) return this.random.between(1, 20)
    return this.random.chance(0.7) ? this.random.between(20, 3000) : this.random.between(3000, 60_000)
  }

  /** How long it takes until one end of a dead connection notices. */
  noticeMs(mostMs: number): number {
    return this.chance(0.5) ? this.random.between(1, mostMs) : this.random.between(1, 50)
  }
}
