/** Simulates faults of the disk: `strace` injects them into system calls of a running process. */
import { execFileSync } from 'node:child_process'
import { tmpdir } from 'node:os'
import type { Cleaner } from '#test/kit/gateway-process.ts'
import { start } from '#test/kit/program.ts'

/** Why `strace` cannot inject faults on this machine; false if it can. */
export function straceMissing(): string | false {
  try {
    execFileSync('strace', ['-f', '-e', 'trace=fsync', 'true'], { stdio: 'ignore' })
    return false
  } catch {
    return 'strace is not installed, or not allowed to trace: apt-get install strace'
  }
}

/** A command that runs the command that follows it with longer syncs, as on a slow SD card. */
export function slowSync(ms: number): string[] {
  const trace = ['-e', 'trace=fsync,fdatasync', '-e', `inject=fsync,fdatasync:delay_exit=${ms * 1_000}`]
  // The traced program is the child, and runs freely except in these calls.
  return ['strace', '-D', '-f', '--seccomp-bpf', '-qq', '-o', '/dev/null', ...trace]
}

/** Applies `action` to every fsync and fdatasync of the process, until the returned function is called. */
export async function injectIntoSync(t: Cleaner, pid: number, action: string): Promise<() => Promise<void>> {
  const inject = `inject=fsync,fdatasync:${action}`
  const strace = start(['strace', '-f', '-p', String(pid), '-e', inject], { cwd: tmpdir() })
  const detach = async () => {
    strace.child.kill('SIGINT')
    await strace.ended
  }
  t.after(detach)
  await strace.stderr.until(/attached/)
  return detach
}

export interface SystemCall {
  /** The name, such as `fsync`. */
  readonly call: string
  /** The path of the file that the call uses. */
  readonly file: string
}

/** Kills the process (SIGKILL) in place of its next such call. */
export async function killAt(t: Cleaner, pid: number, { call, file }: SystemCall): Promise<void> {
  const inject = `inject=${call}:error=EIO:signal=SIGKILL:when=1`
  const options = ['-f', '-p', String(pid), '-P', file, '-e', `trace=${call}`, '-e', inject]
  const strace = start(['strace', ...options], { cwd: tmpdir() })
  t.after(() => strace.child.kill('SIGINT'))
  await strace.stderr.until(/attached/)
}
