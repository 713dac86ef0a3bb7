/** `roost report`: a file about this gateway to show to somebody else. Nothing in it came from outside. */
import { closeSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Command } from 'commander'
import { answer, type CommandContext, optionsOf, tell } from '#app/command-io.ts'
import { lookAround } from '#app/commands/doctor.ts'
import { Problem } from '#domain/problem.ts'

export function addReportCommand(program: Command, context: CommandContext): void {
  program
    .command('report')
    .argument('[file]', 'the file to write; default: standard output')
    .description(
      'write what somebody who helps needs to know: versions, kinds of phones, counts by day, codes of ' +
        'problems; no number, text, name, address or key',
    )
    .action((file: string | undefined, _: unknown, command: Command) => report(context, command, file))
}

async function report({ io }: CommandContext, command: Command, name: string | undefined): Promise<void> {
  const options = optionsOf(command)
  // Opened first, because root may become the owner of the data directory, who may not write there.
  const file = name === undefined ? null : openNew(resolve(io.cwd, name))
  let isDone = false
  try {
    const { makeReport } = await import('#app/commands/make-report.ts')
    const seen = await lookAround(io, options)
    if (seen.path === null) throw new Problem('NOT_FOUND', sentenceAbout(seen.facts.gateway.unreachable))
    const json = makeReport({ ...seen, dataDir: seen.path }, fault => tell(io, `Without counts: ${fault}`))
    const text = JSON.stringify(json, null, 1)
    const note = 'Look at it before you pass it on: it has versions, kinds, counts and codes only.'
    if (file !== null) writeFileSync(file.descriptor, `${text}\n`)
    const printed = file === null ? { json, text } : { json: { file: file.path }, text: file.path }
    answer(io, options, { ...printed, note })
    isDone = true
  } finally {
    if (file !== null) closeSync(file.descriptor)
    if (file !== null && !isDone) rmSync(file.path, { force: true })
  }
}

function openNew(path: string) {
  try {
    return { path, descriptor: openSync(path, 'wx', 0o600) }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') throw new Problem('CONFLICT', `${path} exists: name another file, or remove it`)
    if (code === 'ENOENT') throw new Problem('NOT_FOUND', `there is no directory for ${path}: make it first`)
    throw error
  }
}

function sentenceAbout(unreachable: { readonly message: string; readonly fix: string } | null): string {
  return unreachable === null ? 'there is no data directory' : `${unreachable.message}: ${unreachable.fix}`
}
