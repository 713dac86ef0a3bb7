import { Bench } from '#test/simulation/bench.ts'
import type { Mutant } from '#test/simulation/mutant.ts'
import { runTrial } from '#test/simulation/trial.ts'

export interface Found {
  /** The seed of the first trial; each further trial uses the next number. */
  readonly seed: number
  /** How many trials ran: fewer than requested if one failed. */
  readonly trials: number
  /** The number of messages by final status or failure code. */
  readonly ends: Readonly<Record<string, number>>
  /** The fraction of messages that ended as OUTCOME_UNKNOWN. */
  readonly unknownShare: number
  readonly failed: {
    readonly seed: number
    readonly wrong: readonly string[]
    readonly trace: readonly string[]
  } | null
}

/** Runs trials until one fails. */
export function simulate(options: {
  readonly trials: number
  readonly seed: number
  readonly mutant?: Mutant
  readonly hasIncidents?: boolean
}): Found {
  const bench = new Bench()
  const ends: Record<string, number> = {}
  let messages = 0
  const found = (trials: number, failed: Found['failed']) => ({
    seed: options.seed,
    trials,
    ends,
    unknownShare: (ends['OUTCOME_UNKNOWN'] ?? 0) / Math.max(1, messages),
    failed,
  })
  const { mutant, hasIncidents = false } = options
  const chosen = { hasIncidents, ...(mutant !== undefined && { mutant }) }
  for (let i = 0; i < options.trials; i++) {
    const seed = (options.seed + i) >>> 0
    const outcome = runTrial(bench, seed, chosen)
    for (const end of outcome.ends) ends[end] = (ends[end] ?? 0) + 1
    messages += outcome.ends.length
    if (outcome.wrong.length === 0) continue
    const trace: string[] = []
    runTrial(bench, seed, { ...chosen, trace: line => trace.push(line) })
    return found(i + 1, { seed, wrong: outcome.wrong, trace })
  }
  return found(options.trials, null)
}
