/** The entry of the single-file agent: `node agent.mjs --server URL --code CODE --driver termux`. */
import { parseArgs } from 'node:util'
import { reasonOf } from '#agent/agent-error.ts'
import { askPassword } from '#agent/ask-password.ts'
import { AGENT_FLAGS, AGENT_HELP } from '#agent/flags.ts'
import { type AgentFlags, readAgentOptions } from '#agent/options.ts'
import { runAgent } from '#agent/run-agent.ts'
import { printableLine } from '#contracts/printable.ts'
import { VERSION } from '#contracts/version.ts'

const WRONG_USAGE = 2
const SWITCH = { type: 'boolean' } as const
const VALUED = { type: 'string' } as const

/** Returns the exit code. */
async function runStandalone(args: string[]): Promise<number> {
  const flags = Object.fromEntries(
    Object.entries(AGENT_FLAGS).map(([name, { value }]) => [name, value === null ? SWITCH : VALUED]),
  )
  let values: Record<string, unknown>
  try {
    values = parseArgs({ args, options: { ...flags, help: SWITCH, version: SWITCH } }).values
  } catch (error) {
    return refuse(reasonOf(error))
  }
  if (values['help']) return print(AGENT_HELP)
  if (values['version']) return print(`${VERSION}\n`)
  // The parser has checked the values by the same table.
  const read = readAgentOptions(values as AgentFlags)
  if (read.kind === 'wrong') return refuse(read.message)
  const stop = new AbortController()
  // Handle SIGHUP, too: Node ignores nohup, so a closed terminal would end the agent in the middle of a send.
  for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(name, () => stop.abort())
  // The agent continues if the program that reads its log has ended.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
  return runAgent(read.options, {
    log: line => process.stderr.write(`${printableLine(line)}\n`),
    print: line => process.stdout.write(`${printableLine(line)}\n`),
    isTerminal: process.stdout.isTTY === true,
    signal: stop.signal,
    env: process.env,
    askPassword: question => askPassword(process.stdin, process.stderr, question),
    program: process.argv.slice(0, 2),
  })
}

function print(text: string): number {
  process.stdout.write(text)
  return 0
}

function refuse(message: string): number {
  process.stderr.write(`${message}\nSee --help.\n`)
  return WRONG_USAGE
}

process.exit(await runStandalone(process.argv.slice(2)))
