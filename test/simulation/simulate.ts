import { Bench } from '#test/simulation/bench.ts'
import { ClockBench } from '#test/simulation/clock-bench.ts'
import { runClockTrial } from '#test/simulation/clock-trial.ts'
import type { Outcome } from '#test/simulation/invariants.ts'
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
  /** Whether the trials are about clocks that jump (clock-trial.ts). */
  readonly hasClocks?: boolean
}): Found {
  const run = options.hasClocks === true ? openClockTrials() : openTrials(options)
  const ends: Record<string, number> = {}
  let messages = 0
  const found = (trials: number, failed: Found['failed']) => ({
    seed: options.seed,
    trials,
    ends,
    unknownShare: (ends['OUTCOME_UNKNOWN'] ?? 0) / Math.max(1, messages),
    failed,
  })
  for (let i = 0; i < options.trials; i++) {
    const seed = (options.seed + i) >>> 0
    const outcome = run(seed)
    for (const end of outcome.ends) ends[end] = (ends[end] ?? 0) + 1
    messages += outcome.ends.length
    if (outcome.wrong.length === 0) continue
    const trace: string[] = []
    run(seed, line => trace.push(line))
    return found(i + 1, { seed, wrong: outcome.wrong, trace })
  }
  return found(options.trials, null)
}

type RunTrial = (seed: number, trace?: (line: string) => void) => Outcome

function openTrials({ mutant, hasIncidents = false }: { mutant?: Mutant; hasIncidents?: boolean }): RunTrial {
  const bench = new Bench()
  const chosen = { hasIncidents, ...(mutant !== undefined && { mutant }) }
  return (seed, trace) => runTrial(bench, seed, { ...chosen, ...(trace !== undefined && { trace }) })
}

function openClockTrials(): RunTrial {
  const bench = new ClockBench()
  return (seed, trace) => runClockTrial(bench, seed, trace)
}
