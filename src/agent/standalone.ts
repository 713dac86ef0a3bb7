/** The entry of the single-file agent: `node agent.mjs --server URL --code CODE --driver termux`. */
import { parseArgs } from 'node:util'
import { reasonOf } from '#agent/agent-error.ts'
import { askPassword } from '#agent/ask-password.ts'
import { AGENT_HELP, readAgentOptions } from '#agent/options.ts'
import { runAgent } from '#agent/run-agent.ts'
import { printableLine } from '#contracts/printable.ts'
import { VERSION } from '#contracts/version.ts'

const WRONG_USAGE = 2

/** Returns the exit code. */
async function runStandalone(args: string[]): Promise<number> {
  const text = { type: 'string' } as const
  const flag = { type: 'boolean' } as const
  let values: Record<string, string | boolean | undefined>
  try {
    const valued = {
      server: text,
      code: text,
      authority: text,
      state: text,
      name: text,
      driver: text,
      exec: text,
      'exec-lookup': text,
      phone: text,
      username: text,
      'password-file': text,
    }
    const flags = { 'exit-0-is-delivered': flag, help: flag, version: flag }
    values = parseArgs({ args, options: { ...valued, ...flags } }).values
  } catch (error) {
    return refuse(reasonOf(error))
  }
  if (values['help']) return print(AGENT_HELP)
  if (values['version']) return print(`${VERSION}\n`)
  const given = (name: string) => (typeof values[name] === 'string' ? values[name] : undefined)
  const read = readAgentOptions({
    server: given('server'),
    code: given('code'),
    authority: given('authority'),
    state: given('state'),
    name: given('name'),
    driver: given('driver'),
    exec: given('exec'),
    execLookup: given('exec-lookup'),
    phone: given('phone'),
    username: given('username'),
    passwordFile: given('password-file'),
    exit0IsDelivered: values['exit-0-is-delivered'] === true,
  })
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
