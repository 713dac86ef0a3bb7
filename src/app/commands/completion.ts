/** `roost completion`: completion scripts for shells, made from the commands' own definitions. */
import { Argument, type Command } from 'commander'
import { answer, type CommandContext, optionsOf } from '#app/command-io.ts'

const SHELLS = ['bash', 'zsh', 'fish'] as const
type Shell = (typeof SHELLS)[number]

export function addCompletionCommand(program: Command, { io }: CommandContext): void {
  program
    .command('completion')
    .description('print the completion script of a shell, as in: source <(roost completion bash)')
    .addArgument(new Argument('<shell>', 'name of the shell').choices(SHELLS))
    .action(function (this: Command, shell: Shell) {
      const script = SCRIPTS[shell](stepsOf(program))
      answer(io, optionsOf(this), { json: { shell, script }, text: script })
    })
}

/** A step in a command line: the words before it, without options, and the words that may come next. */
interface Step {
  readonly words: string
  readonly next: readonly string[]
}

function stepsOf(program: Command): Step[] {
  const everywhere = program.options.flatMap(({ long }) => long ?? [])
  const walk = (command: Command, words: readonly string[]): Step[] => {
    const own = command === program ? [] : command.options.flatMap(({ long }) => long ?? [])
    const next = [...command.commands.map(one => one.name()), ...own, ...everywhere, '--help']
    const inner = command.commands.flatMap(one => walk(one, [...words, one.name()]))
    return [{ words: words.join(' '), next }, ...inner]
  }
  return walk(program, [])
}

const SCRIPTS: Readonly<Record<Shell, (steps: readonly Step[]) => string>> = {
  bash: forBash,
  // bashcompinit lets zsh run completions for bash.
  zsh: steps => `autoload -U +X bashcompinit && bashcompinit\n${forBash(steps)}`,
  fish: steps => [FISH_AT, ...steps.flatMap(forFish)].join('\n'),
}

function forFish({ words, next }: Step): string[] {
  return next.map(word => `complete -c roost -f -n '__roost_at "${words}"' -a '${word}'`)
}

/** A fish function that tests whether the words before the cursor, without options, equal its argument. */
const FISH_AT = `function __roost_at
  set -l words (commandline -opc)
  test (string join ' ' (string match -v -- '-*' $words[2..-1])) = "$argv[1]"
end`

function forBash(steps: readonly Step[]): string {
  const cases = steps.map(({ words, next }) => `    '${words}') next='${next.join(' ')}' ;;`)
  return `_roost() {
  local words=() word next=''
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do [[ $word == -* ]] || words+=("$word"); done
  case "\${words[*]}" in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$next" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -F _roost roost`
}
