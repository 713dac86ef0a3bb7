/*
 * Lists the regular expressions of `src`, asks recheck which of them may take more than linear time, pumps
 * these through the door of alerts and the masking of codes, with long inputs.
 * Fails for one that takes 50 ms of CPU more than a plain text of that length.
 * `npm install --prefix FOLDER recheck@4.5.0`, then `node scripts/pump-expressions.ts FOLDER [SECONDS]`.
 * Expressions that are made from parts at run time, and those of the agent and the console, are only counted.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { parseSync } from 'oxc-parser'
import { renderAlert } from '#domain/alert/render-alert.ts'
import { maskCodes } from '#domain/forward/mask-codes.ts'
import { triggerRequest } from '#test/kit/alert-payloads.ts'

interface Expression {
  readonly place: string
  readonly source: string
  readonly flags: string
}

interface Attack {
  readonly pumps: readonly { readonly prefix: string; readonly pump: string }[]
  readonly suffix: string
}

interface Checked {
  readonly status: 'safe' | 'vulnerable' | 'unknown'
  readonly complexity?: { readonly summary: string }
  readonly attack?: Attack
}

const CPU_MS_MAX = 50
/** One look of recheck at one expression. */
const CHECK_MS_MAX = 2_500
/** UTF-16 units: a long text, and more than any field that is read whole. */
const LENGTHS = [1_600, 16_000, 200_000]
const DOORS: Readonly<Record<string, (text: string) => unknown>> = {
  'plain text': text => render(text),
  message: message => render({ message }),
  title: title => render({ title, message: 'x' }),
  status: status => render({ status, name: 'nas' }),
  type: type => render({ type, state: 'down' }),
  severity: severity => render({ severity, host: severity }),
  'received text': text => maskCodes(`code ${text}`),
}

const [folder = '.', seconds = '900'] = process.argv.slice(2)
const load = createRequire(join(resolve(folder), 'package.json'))
const { checkSync } = load('recheck') as {
  checkSync(source: string, flags: string, options: { readonly timeout: number }): Checked
}

function render(body: unknown): unknown {
  return renderAlert(triggerRequest({ body }), null)
}

/** The expressions that a file writes out, and how many it makes of parts. */
function expressionsOf(file: string): { readonly found: Expression[]; readonly made: number } {
  const text = readFileSync(join('src', file), 'utf8')
  const found: Expression[] = []
  let made = 0
  const walk = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return
    const { regex, start, callee } = node as {
      regex?: { pattern: string; flags: string }
      start?: number
      callee?: { name?: string }
    }
    const line = text.slice(0, start).split('\n').length
    if (regex !== undefined)
      found.push({ place: `${file}:${line}`, source: regex.pattern, flags: regex.flags })
    if (callee?.name === 'RegExp') made++
    for (const value of Object.values(node)) walk(value)
  }
  walk(parseSync(file, text).program)
  return { found, made }
}

function cpuMs(run: () => unknown): number {
  const before = process.cpuUsage()
  run()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

/** The best of three: the first run may compile. */
function bestMs(run: () => unknown): number {
  const first = cpuMs(run)
  return first < CPU_MS_MAX ? first : Math.min(first, cpuMs(run), cpuMs(run))
}

function textOf({ pumps, suffix }: Attack, length: number): string {
  const width = pumps.reduce((sum, { pump }) => sum + pump.length, 0)
  const times = Math.ceil(length / Math.max(1, width))
  return pumps.map(({ prefix, pump }) => prefix + pump.repeat(times)).join('') + suffix
}

/** The doors at which the attack takes too long. */
function slowDoors(attack: Attack): string[] {
  return Object.entries(DOORS).flatMap(([name, door]) =>
    LENGTHS.flatMap(length => {
      const plain = bestMs(() => door('the disk of nas '.repeat(length / 16)))
      const pumped = bestMs(() => door(textOf(attack, length)))
      const isSlow = pumped > plain + CPU_MS_MAX
      return isSlow ? [`${name}, ${length}: ${Math.round(pumped)} ms, plain ${Math.round(plain)} ms`] : []
    }),
  )
}

const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter(name => /\.tsx?$/.test(name))
const all = files.map(expressionsOf)
const expressions = all.flatMap(({ found }) => found)
const counts = { safe: 0, vulnerable: 0, unknown: 0 }
const endMs = Date.now() + Number(seconds) * 1000
let slow = 0
for (const { place, source, flags } of expressions) {
  if (Date.now() > endMs) break
  const { status, complexity, attack } = checkSync(source, flags, { timeout: CHECK_MS_MAX })
  counts[status]++
  if (status === 'safe') continue
  const doors = attack === undefined ? [] : slowDoors(attack)
  slow += doors.length
  console.log(`${place}: ${complexity?.summary ?? status}${doors.map(door => `\n  SLOW ${door}`).join('')}`)
}
const made = all.reduce((sum, one) => sum + one.made, 0)
const looked = counts.safe + counts.vulnerable + counts.unknown
console.log(
  `${looked} of ${expressions.length} expressions: ${JSON.stringify(counts)}; ${made} made at run time`,
)
if (slow > 0 || looked < expressions.length) process.exitCode = 1
