/**
 * Runs programs of Debian one by one, each in a tree that mmdebstrap made once, because a daemon of one would
 * meet that of another. Needs root, and a mirror of Debian at the first run.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'

const SUITE = 'bookworm'

/** What a program of a check needs to run. */
export interface DebianProgram {
  /** Names of packages, with commas between them. */
  readonly packages: string
  /** The name of the tree; programs with the same packages may share it. */
  readonly tree: string
  /** A package of npm with its version, below /opt. Its own install scripts do not run. */
  readonly npm?: string
}

interface Checked<T> {
  /** A folder below dist. */
  readonly work: string
  readonly programs: Readonly<Record<string, T>>
  /** What is wrong with a program in a fresh copy of its tree, in the folder `root`; null: nothing. */
  faultOf(name: string, program: T, root: string): Promise<string | null>
}

/** Checks the programs that the command line names, or all, and prints what came of each. */
export async function checkPrograms<T extends DebianProgram>(checked: Checked<T>): Promise<void> {
  const { work, programs, faultOf } = checked
  const wanted = process.argv.slice(2)
  for (const [name, program] of Object.entries(programs)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue
    const startedAt = performance.now()
    const missing = await unpack(work, program)
    const fault = missing ?? (await faultOf(name, program, `${work}/root`))
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
    const result = fault === null ? 'ok' : missing === null ? 'FAILED' : '**** SKIPPED'
    console.log(`${result} ${name} (${seconds} s)${fault === null ? '' : `: ${fault}`}`)
    if (result === 'FAILED') process.exitCode = 1
  }
}

/** Makes a fresh copy of a tree. @returns why there is none; null: there is one */
async function unpack(work: string, { packages, tree, npm = '' }: DebianProgram): Promise<string | null> {
  mkdirSync(work, { recursive: true })
  const { code, output } = await runBash(`
    set -e
    source scripts/service/container.sh
    work=$PWD/${work} suite=${SUITE}
    skip() { echo "$1"; exit 1; }
    tree_of ${tree}- ${packages}
    rm -rf "$work/root" && mkdir "$work/root"
    tar -xf "$work/${tree}-$suite.tar" -C "$work/root" --exclude='./dev/*'
    [[ -z '${npm}' ]] && exit
    [[ -d $work/${npm} ]] || {
      npm install --prefix "$work/part" --no-audit --no-fund --ignore-scripts --omit=optional '${npm}'
      mv "$work/part" "$work/${npm}"
    }
    cp -r "$work/${npm}/." "$work/root/opt"`).ended
  return code === 0 ? null : (output.split('\n').at(-1) ?? '')
}

/** Runs a script of the shell in a tree, with processes and mounts of its own. */
export function runInTree(root: string, script: string) {
  return runBash(`
    exec unshare --mount --pid --fork --kill-child bash -c '
      mount -t proc proc "$1/proc" && mount --rbind /dev "$1/dev" && mount -t tmpfs tmpfs "$1/run"
      exec chroot "$1" /bin/sh ${script}' in "$PWD/${root}"`)
}

/** Starts commands of bash. `ended`: their exit status, and what they printed. */
function runBash(commands: string) {
  const child = spawn('bash', ['-c', commands], { stdio: ['ignore', 'pipe', 'pipe'], timeout: 600_000 })
  const printed: string[] = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', bytes => printed.push(String(bytes)))
  const ended = once(child, 'exit').then(([code]) => ({
    code: code as number | null,
    output: printed.join('').trim(),
  }))
  return { ended, stop: () => child.kill('SIGKILL') }
}
