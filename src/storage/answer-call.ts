import type { CommandAnswer, CommandCall } from '#contracts/commands.ts'
import type { ProblemData } from '#contracts/problem.ts'
import { noteDeed, refuseEnded } from '#domain/audit/note-deed.ts'
import { COMMANDS } from '#domain/command-table.ts'
import { diskFull, Problem } from '#domain/problem.ts'
import type { World } from '#domain/world.ts'

export const NO_SPACE = diskFull().toData()
export const FAULT: ProblemData = {
  code: 'INTERNAL_ERROR',
  message: 'something went wrong: the log of the gateway has the details',
}

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
