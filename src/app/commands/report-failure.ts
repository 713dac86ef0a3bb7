/**
 * Reports failures of the command line: sentences on standard error and, with `--json`, an object on standard
 * output.
 */

import { CommanderError } from 'commander'
import type { CommandIo } from '#app/command-io.ts'
import { ConfigFault } from '#app/config/config-file.ts'
import { EXIT, EXIT_CODES, OutsideProblem } from '#app/exit-code.ts'
import { explainFailure } from '#app/explain-failure.ts'
import { DataDirectoryHeld } from '#app/hold-data-directory.ts'
import { printableJson } from '#contracts/printable.ts'
import type { ProblemData } from '#contracts/problem.ts'
import { messageOf } from '#domain/cause.ts'
import { Problem } from '#domain/problem.ts'

interface Failure {
  readonly exitCode: number
  readonly problem: ProblemData
  /** A last line for people: the command that shows whether the remedy worked. */
  readonly hint?: string
}

/** Prints the failure. Returns the exit code. */
export function reportFailure(io: CommandIo, error: unknown, asJson: boolean): number {
  if (error instanceof CommanderError && error.exitCode === 0) return EXIT.ok
  const { exitCode, problem, hint } = failureOf(error)
  // Commander has already printed usage errors, with a hint at the help.
  if (!(error instanceof CommanderError)) io.stderr.write(sentences(problem))
  if (hint !== undefined) io.stderr.write(`${hint}\n`)
  if (asJson) io.stdout.write(`${printableJson({ success: false, error: problem })}\n`)
  return exitCode
}

function failureOf(error: unknown): Failure {
  if (error instanceof OutsideProblem) return { exitCode: EXIT.failed, problem: error.toData() }
  if (error instanceof Problem) return { exitCode: EXIT_CODES[error.code], problem: error.toData() }
  if (error instanceof ConfigFault) {
    const { message, issues, usable } = error
    const check = `roost check-config${usable.file === null ? '' : ` --config ${usable.file}`}`
    return {
      exitCode: EXIT.failed,
      problem: { code: 'INVALID_REQUEST', message, details: { issues } },
      hint: `Correct ${issues.length === 1 ? 'it' : 'them'}, then run: ${check}`,
    }
  }
  if (error instanceof CommanderError) {
    const message = error.code === 'commander.help' ? 'a command is missing' : error.message
    return { exitCode: EXIT.usage, problem: { code: 'INVALID_REQUEST', message: withoutPrefix(message) } }
  }
  const explained = explainFailure(error)
  if (explained !== null)
    return { exitCode: EXIT.failed, problem: { code: 'SERVICE_UNAVAILABLE', message: explained } }
  const message = messageOf(error)
  if (error instanceof DataDirectoryHeld || isCode(error, 'ANOTHER_WRITER'))
    return { exitCode: EXIT.anotherInstance, problem: { code: 'SERVICE_UNAVAILABLE', message } }
  return { exitCode: EXIT.failed, problem: { code: 'INTERNAL_ERROR', message } }
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}

function sentences({ message, details }: ProblemData): string {
  const issues = details?.issues ?? []
  const isInMessage = issues.length === 1 && message.startsWith(`${issues[0]?.path}: `)
  const lines = isInMessage ? [] : issues.map(issue => `  ${issue.path}: ${issue.message}\n`)
  return `error: ${message}\n${lines.join('')}`
}

function withoutPrefix(message: string): string {
  return message.replace(/^error: /, '')
}
