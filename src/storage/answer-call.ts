import type { CommandAnswer, CommandCall } from '#contracts/commands.ts'
import type { ProblemData } from '#contracts/problem.ts'
import { noteDeed, refuseEnded } from '#domain/audit/note-deed.ts'
import { COMMANDS } from '#domain/command-table.ts'
import type { Effect } from '#domain/effect.ts'
import { diskFull, Problem } from '#domain/problem.ts'
import type { World } from '#domain/world.ts'

export const NO_SPACE = diskFull().toData()
export const FAULT: ProblemData = {
  code: 'INTERNAL_ERROR',
  message: 'something went wrong: the log of the gateway has the details',
}

export interface BatchResult {
  /** One answer for each command, in the same order. */
  readonly answers: readonly CommandAnswer[]
  readonly effects: readonly Effect[]
  /** True if the disk was full or busy: nothing was written, and due work is still due. */
  readonly stalled: boolean
  /** Whether something was committed. */
  readonly wrote: boolean
}

export interface Committed extends Omit<BatchResult, 'wrote'> {
  /** Commits so far; null: this transaction wrote nothing. */
  readonly count: number | null
}

/** What a transaction gave that wrote nothing because the disk is full or busy, without its answers. */
export const STALLED = { effects: [], stalled: true, count: null }

/** Carries out one command in the running transaction. @throws an error that is no refusal */
export function answerCall(world: World, call: CommandCall): CommandAnswer {
  try {
    const carryOut = COMMANDS[call.name] as (world: World, input: unknown) => unknown
    if (call.by !== undefined) refuseEnded(world, call.by)
    const output = carryOut(world, call.input)
    if (call.by !== undefined) noteDeed(world, call, output)
    return { id: call.id, ok: true, output }
  } catch (error) {
    if (error instanceof Problem) return refused(call, error.toData())
    throw error
  }
}

export function refused(call: CommandCall, problem: ProblemData): CommandAnswer {
  return { id: call.id, ok: false, problem }
}
