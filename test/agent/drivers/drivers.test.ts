/** Both programs that run drivers, as they ship, know every driver and flag of the table. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { DRIVERS } from '#agent/drivers/drivers.ts'
import { AGENT_FLAGS, COMMON_FLAGS } from '#agent/flags.ts'
import { readAgentOptions } from '#agent/options.ts'
import { bundled } from '#test/kit/bundle.ts'
import { HANGS_AFTER_MS } from '#test/kit/patience.ts'
import { start } from '#test/kit/program.ts'
import { temporaryDirectory } from '#test/kit/temporary-directory.ts'

const options = { timeout: HANGS_AFTER_MS }
const main = bundled('main')
const ROOST = ['roost agent', [main, 'agent']] as const
const SINGLE_FILE = ['agent.mjs', [join(dirname(main), 'agent.mjs')]] as const

/** Runs a program to its end. `said`: what it printed, with each gap as one space. */
async function run(program: readonly string[], args: readonly string[], cwd: string) {
  const { child, ended, stdout, stderr } = start([process.execPath, ...program, ...args], { cwd })
  child.stdin?.end()
  const [code] = await Promise.all([ended, once(child, 'close')])
  return { code, said: `${stdout.text}${stderr.text}`.replaceAll(/\s+/g, ' ') }
}

test('no two flags have the same name', options, async t => {
  const ofDrivers = Object.values(DRIVERS).flatMap(({ flags }) => Object.keys(flags))
  const { said } = await run(ROOST[1], ['--help'], temporaryDirectory(t))
  const [, ofEveryCommand = ''] = said.split('Global Options:')
  const others = [...ofEveryCommand.matchAll(/--([\w-]+)/g)].map(([, name = '']) => name)
  const names = [...Object.keys(COMMON_FLAGS), ...ofDrivers, ...others, 'help']
  assert.ok(others.includes('json'), said)
  assert.deepEqual(names.toSorted(), [...new Set(names)].toSorted())
})

test('roost agent explains every flag', options, async t => {
  const { said } = await run(ROOST[1], ['--help'], temporaryDirectory(t))
  for (const [name, { value, brief }] of Object.entries(AGENT_FLAGS)) {
    const term = value === null ? `--${name}` : `--${name} <${value.toLowerCase()}>`
    assert.ok(said.includes(` ${term} ${brief} `), `${term} ${brief}\n${said}`)
  }
})

test('agent.mjs explains every driver and flag', options, async t => {
  const { said } = await run(SINGLE_FILE[1], ['--help'], temporaryDirectory(t))
  for (const name of Object.keys(COMMON_FLAGS)) assert.ok(said.includes(` --${name} `), name)
  for (const [driver, { help, flags }] of Object.entries(DRIVERS)) {
    assert.ok(said.includes(` --driver ${driver} ${help}`), `${driver}\n${said}`)
    for (const [name, flag] of Object.entries(flags)) {
      const term = flag.value === null ? `--${name}` : `--${name} ${flag.value}`
      assert.ok(said.includes(` ${term} ${flag.help.join(' ')} `), `${term}\n${said}`)
    }
  }
})

for (const [driver, { flags }] of Object.entries(DRIVERS))
  for (const [name, { value }] of Object.entries(flags))
    test(`both programs read --${name} as a flag of the driver ${driver}`, options, async t => {
      const cwd = temporaryDirectory(t)
      // With another driver, the answer to a flag with a value names its own driver.
      const other = driver === 'log' ? 'termux' : 'log'
      const state = join(cwd, 'nobody.json')
      const given = { state, driver: other, [name]: value === null ? true : 'x' }
      const read = readAgentOptions(given)
      const message = read.kind === 'wrong' ? read.message : 'nobody.json does not exist: pair this device'
      assert.equal(message.endsWith(`to --driver ${driver}.`), value !== null, message)
      const args = ['--state', state, '--driver', other, `--${name}`, ...(value === null ? [] : ['x'])]
      for (const [title, program] of [ROOST, SINGLE_FILE]) {
        const { code, said } = await run(program, args, cwd)
        assert.ok(said.includes(message), `${title}: ${said}`)
        assert.equal(code, value === null ? 1 : 2, title)
      }
    })
