#!/usr/bin/env node
/**
 * The start of the program: runs the command of `process.argv` and exits with its code. No other file of the
 * gateway uses `process.exit`, `process.argv` or `process.env`. The static imports run on any Node version,
 * so that `runtimeFault` can report an old one. The rest of the program is imported after that check. In the
 * bundle the rest is a file of its own, because the compile cache holds only files that are loaded after
 * `useCompileCache`.
 */
import { useCompileCache } from '#app/compile-cache.ts'
import { runtimeFault } from '#app/runtime-fault.ts'
import { EarlyThreads } from '#app/threads/early-threads.ts'
import { causeOf } from '#domain/cause.ts'

const FAILED = 1
/** Signals within this time count as one, because npm repeats a Ctrl-C that its command already received. */
const SAME_SIGNAL_MS = 1000
/** How long an ending `serve` or `agent` waits for a slow reader of its output. */
const LAST_OUTPUT_MS_MAX = 2000
let runsUntilSignal = false

function main(): void {
  // The library for HTTP reads it when a thread loads it, from this thread's environment alone. Cookies of
  // other programs on the host and of log-in proxies do not fit into its 4 KiB.
  process.env['UWS_HTTP_MAX_HEADERS_SIZE'] = '16384'
  const fault = runtimeFault(process.versions)
  if (fault !== null) {
    process.stderr.write(`${fault}\n`)
    process.exit(FAILED)
  }
  if (isExecutable()) useCompileCache(process.env, process.getuid?.() ?? -1)
  const early = new EarlyThreads()
  // No other command needs these threads.
  if (process.argv[2] === 'serve') early.start()
  let isLost = false
  // A reader that closes the pipe (`roost … | head`) is not a failure; output lost on a full disk is one. The
  // log that `serve` or `agent` could not write is none either: they have stopped in order.
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') isLost = true
    })
  run(early).then(
    code => exitAfterOutput(() => (code === 0 && isLost && !runsUntilSignal ? FAILED : code)),
    (error: unknown) => {
      process.stderr.write(`error: ${causeOf(error)}\n`)
      exitAfterOutput(() => FAILED)
    },
  )
}

async function run(early: EarlyThreads): Promise<number> {
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
    early,
  })
}

/** The words that start this program: the executable, or Node and a file. */
function programWords(): string[] {
  const { execPath, argv } = process
  return isExecutable() ? [execPath] : [execPath, argv[1] ?? '']
}

/** Loads `node:sea` at run time, because Node versions before 20.12 do not have it. */
function isExecutable(): boolean {
  return process.getBuiltinModule('node:sea').isSea()
}

/** Changes groups before the user: without root, groups cannot be changed any more. */
function becomeUser({ uid, gid }: { readonly uid: number; readonly gid: number }): void {
  process.setgroups?.([gid])
  process.setgid?.(gid)
  process.setuid?.(uid)
}

/**
 * The first signal asks for a clean stop. A later second signal kills the process at once, by SIGKILL: with
 * open sockets in threads, `process.exit` would abort with a core dump. SIGHUP also asks for a clean stop
 * (unless it calls `onHangUp`): Node ignores nohup, so a closed terminal would otherwise end the process at
 * once.
 */
function stopSignal(onHangUp?: () => void): AbortSignal {
  const stop = new AbortController()
  runsUntilSignal = true
  let stoppedAt = 0
  const stopSignals: NodeJS.Signals[] = ['SIGTERM', 'SIGINT']
  if (onHangUp === undefined) stopSignals.push('SIGHUP')
  else process.on('SIGHUP', onHangUp)
  for (const name of stopSignals)
    process.on(name, () => {
      if (stop.signal.aborted) {
        if (performance.now() - stoppedAt > SAME_SIGNAL_MS) process.kill(process.pid, 'SIGKILL')
        return
      }
      stoppedAt = performance.now()
      stop.abort()
    })
  return stop.signal
}

/**
 * Exits once standard output and standard error are written. `setImmediate` waits for a stream's error event,
 * which comes one turn later. A reader such as `less` may take any time. But `serve` and `agent` wait only
 * LAST_OUTPUT_MS_MAX: a log without a reader must not delay a restart.
 */
function exitAfterOutput(code: () => number): void {
  const exit = () => setImmediate(() => process.exit(code()))
  if (runsUntilSignal) setTimeout(exit, LAST_OUTPUT_MS_MAX)
  process.stdout.write('', () => process.stderr.write('', exit))
}

main()
