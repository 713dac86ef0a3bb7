/**
 * Keeps the agent running on an Android phone: takes a wake lock, and writes a script with which Termux:Boot
 * starts the agent when the phone starts.
 * @see https://github.com/termux/termux-boot
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { reasonOf } from '#agent/agent-error.ts'
import type { Clock } from '#agent/clock.ts'
import { runProcess } from '#agent/drivers/run-process.ts'
import { AGENT_CHECK_MS_MAX } from '#contracts/bounds.ts'

export interface TermuxStart {
  /** The words that start this agent, without options. */
  readonly program: readonly string[]
  readonly stateFile: string
  readonly env: NodeJS.ProcessEnv
}

/** The second line of the script; a file without it was not written by the agent. */
const MARK = '# Written by the Roost agent, which starts with the phone. To turn that off, empty this file.'
const NO_WAKE_LOCK = 'Cannot keep the phone awake: termux-wake-lock failed. Update Termux: pkg upgrade'

/**
 * Returns sentences for the owner: what was written or went wrong. Empty if nothing changed. Never throws.
 */
export async function keepTermuxRunning(clock: Clock, start: TermuxStart): Promise<readonly string[]> {
  const { env } = start
  const lock = { file: 'termux-wake-lock', args: [], env, timeoutMs: AGENT_CHECK_MS_MAX }
  const end = await runProcess(clock, lock)
  const isAwake = end.kind === 'exit' && end.exitCode === 0
  return [...(isAwake ? [] : [NO_WAKE_LOCK]), ...writeBootScript(start)]
}

function writeBootScript(start: TermuxStart): readonly string[] {
  const settings = join(start.env['HOME'] ?? '', '.termux')
  if (!existsSync(settings)) return []
  const file = join(settings, 'boot', 'roost-agent')
  const script = bootScript(start)
  try {
    const known = existsSync(file) ? readFileSync(file, 'utf8') : null
    if (known === script || known?.includes(MARK) === false) return []
    mkdirSync(join(settings, 'boot'), { recursive: true })
    writeFileSync(file, script, { mode: 0o700 })
    return [`Wrote ${file}: install Termux:Boot and open it once, and the agent starts with the phone.`]
  } catch (error) {
    return [`Cannot write ${file}, so the agent does not start with the phone: ${reasonOf(error)}`]
  }
}

function bootScript({ program, stateFile, env }: TermuxStart): string {
  const shell = join(env['PREFIX'] ?? '/data/data/com.termux/files/usr', 'bin', 'sh')
  const state = resolve(stateFile)
  const words = [...program, '--driver', 'termux', '--state', state].map(quoted).join(' ')
  const log = quoted(`${state}.log`)
  // The agent ends with 0 only when it is stopped.
  return `#!${shell}\n${MARK}\ntermux-wake-lock\nuntil ${words}; do sleep 60; done > ${log} 2>&1\n`
}

/** Quotes a text as one word for the shell. */
function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`
}
