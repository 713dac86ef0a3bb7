/** `roost help`: the same as `--help`. */
import type { Command } from 'commander'

export function addHelpCommand(program: Command): void {
  program
    .command('help')
    .description('show help for a command')
    .argument('[command...]', 'the command, such as: device pair')
    .action((words: readonly string[]) => {
      const { command, unknown } = find(program, words)
      if (unknown === undefined) return command.help()
      const known = command.commands.map(one => one.name()).join(', ')
      const message = known === '' ? '' : `; the commands are ${known}`
      command.error(`error: unknown command '${unknown}'${message}`, { code: 'commander.unknownCommand' })
    })
}

/** Finds the command that the words name. `unknown`: the first word that is not a command. */
function find(program: Command, words: readonly string[]): { command: Command; unknown: string | undefined } {
  let command = program
  for (const word of words) {
    const next = command.commands.find(candidate => candidate.name() === word)
    if (next === undefined) return { command, unknown: word }
    command = next
  }
  return { command, unknown: undefined }
}
