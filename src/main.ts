#!/usr/bin/env node
import { useCompileCache } from '#app/compile-cache.ts'
import { runtimeFault } from '#app/version.ts'
/**
 * The program: argv → command → exit code. The only file that touches `process.exit`, `process.argv` and
 * `process.env`. Nothing but the check of the runtime, and what needs no newer one, is imported before that
 * check has passed. The rest of the program is a file of its own in the bundle, for what is loaded later is
 * compiled once and kept.
 */
import { causeOf } from '#domain/cause.ts'

const FAILED = 1
/** Signals so close together are one wish: npm passes on the Ctrl-C that its command has had already. */
const SAME_WISH_MS = 1000
/** How long the process waits at its end for the reader of its output, after a signal or a failure. */
const LAST_WORDS_MS_MAX = 2000
let runsUntilSignal = false

function main(): void {
  const fault = runtimeFault(process.versions)
  if (fault !== null) {
    process.stderr.write(`${fault}\n`)
    process.exit(FAILED)
  }
  if (isExecutable()) useCompileCache(process.env, process.getuid?.() ?? -1)
  let isLost = false
  // A reader that went away (`roost … | head`) is no failure; data that reached no disk is one.
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') isLost = true
    })
  run().then(
    code => exitAfterOutput(() => (code === 0 && isLost ? FAILED : code)),
    (error: unknown) => {
      process.stderr.write(`error: ${causeOf(error)}\n`)
      exitAfterOutput(() => FAILED)
    },
  )
}

async function run(): Promise<number> {
  const { runCommand } = await import('#app/commands/run-command.ts')
  return runCommand(process.argv.slice(2), {
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    env: process.env,
    cwd: process.cwd(),
    program: programWords(),
    pid: process.pid,
    user: { uid: process.getuid?.() ?? -1, become: becomeUser },
    stopSignal,
  })
}

/** The executable, or Node and a file. */
function programWords(): string[] {
  const { execPath, argv } = process
  return isExecutable() ? [execPath] : [execPath, argv[1] ?? '']
}

/** Asked for here, because Node knows the module since 20.12 only. */
function isExecutable(): boolean {
  return process.getBuiltinModule('node:sea').isSea()
}

/** The groups first: who is no longer root may not change them. */
function becomeUser({ uid, gid }: { readonly uid: number; readonly gid: number }): void {
  process.setgroups?.([gid])
  process.setgid?.(gid)
  process.setuid?.(uid)
}

/**
 * The first signal asks for a clean stop, another one later ends the process where it is: not by
 * `process.exit`, which aborts with a dump while threads have sockets open. A hang-up is among them: Node
 * undoes what nohup does, and by itself would end the process at once when the terminal is closed.
 */
function stopSignal(hungUp?: () => void): AbortSignal {
  const stop = new AbortController()
  runsUntilSignal = true
  let askedAt = 0
  if (hungUp !== undefined) process.on('SIGHUP', hungUp)
  const names = ['SIGTERM', 'SIGINT', ...(hungUp === undefined ? (['SIGHUP'] as const) : [])] as const
  for (const name of names)
    process.on(name, () => {
      if (stop.signal.aborted) {
        if (performance.now() - askedAt > SAME_WISH_MS) process.kill(process.pid, 'SIGKILL')
        return
      }
      askedAt = performance.now()
      stop.abort()
    })
  return stop.signal
}

/**
 * A stream tells a turn later that it could not write. A page of `less` is waited for as long as it takes; a
 * log without a reader must not keep a failed gateway from being started again.
 */
function exitAfterOutput(code: () => number): void {
  const exit = () => setImmediate(() => process.exit(code()))
  if (runsUntilSignal) setTimeout(exit, LAST_WORDS_MS_MAX)
  process.stdout.write('', () => process.stderr.write('', exit))
}

main()
