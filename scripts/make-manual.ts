/** Makes the manual page in roff, the format of man(1), from the definitions of the commands. */
import type { Command } from 'commander'
import { buildProgram } from '#app/commands/run-command.ts'
import { VERSION } from '#contracts/version.ts'

/** The text of roost(1). */
export function makeManual(date: string): string {
  const program = programWithCommands()
  const commands = leavesOf(program).map(([words, command]) => sectionOf(words, command))
  return `.TH ROOST 1 "${date}" "roost ${VERSION}" "User commands"
.SH NAME
roost \\- SMS gateway over your own phones
.SH SYNOPSIS
.B roost
.I command
[options]
.SH DESCRIPTION
${escaped(program.description())}
.PP
Every key of the configuration has a default, so a configuration file is optional.
.SH OPTIONS OF EVERY COMMAND
${optionsOf(program)}
.SH COMMANDS
${commands.join('\n')}
.SH EXIT STATUS
0: done. 1: failed. 2: wrong usage. 75: another instance holds the data directory.
.SH FILES
.TP
.I /etc/roost/config.toml
The configuration of the service, and of every command that finds no config.toml in the working directory.
.TP
.I /var/lib/roost
The database and the secrets of the service.
.TP
.I /usr/share/doc/roost/config.example.toml
Every key with its default.
.SH SEE ALSO
.BR systemctl (1),
.BR journalctl (1)
`
}

function programWithCommands(): Command {
  const nothing = { write: () => true }
  return buildProgram({
    exitCode: 0,
    canvas: nothing,
    io: {
      stdin: process.stdin,
      stdout: nothing,
      stderr: nothing,
      env: {},
      cwd: '/',
      program: ['/usr/bin/roost'],
      pid: 0,
      user: { uid: -1, become: () => {} },
      stopSignal: () => new AbortController().signal,
    },
  })
}

/** The commands without subcommands, each with its words, such as `device list`. */
function leavesOf(command: Command, words: readonly string[] = []): [string, Command][] {
  if (command.commands.length === 0) return [[words.join(' '), command]]
  return command.commands.flatMap(inner => leavesOf(inner, [...words, inner.name()]))
}

function sectionOf(words: string, command: Command): string {
  const names = command.registeredArguments.map(one => {
    const name = `${one.name()}${one.variadic ? '...' : ''}`
    return one.required ? `<${name}>` : `[${name}]`
  })
  const parameters = command.registeredArguments.map(one => entry(one.name(), one.description))
  const body = [...parameters, optionsOf(command)].filter(text => text !== '').join('\n')
  const heading = escaped(['roost', words, ...names].join(' '))
  return `.SS "${heading}"\n${escaped(command.description())}${body === '' ? '' : `\n${body}`}`
}

function optionsOf(command: Command): string {
  return command.options.map(({ flags, description }) => entry(flags, description)).join('\n')
}

function entry(term: string, description: string): string {
  return `.TP\n.B ${escaped(term)}\n${escaped(description)}`
}

/** Escapes hyphens, so that they can be copied, and lines that roff would take for a request. */
function escaped(text: string): string {
  return text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/^(?=[.'])/gm, '\\&')
    .replaceAll('"', '\\(dq')
}
