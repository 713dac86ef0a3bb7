/**
 * The agent in a process of its own. It kills or freezes itself at a given write to its journal. It reads
 * from a file how far its clocks are ahead, so that the test can advance them even while the agent is frozen.
 */
import { appendFileSync, readFileSync, writeSync } from 'node:fs'
import { systemClock } from '#agent/clock.ts'
import { statePaths } from '#agent/identity.ts'
import { JournalFile } from '#agent/journal-file.ts'
import { runAgent } from '#agent/run-agent.ts'

export interface ChildInput {
  readonly stateFile: string
  readonly exec: string
  readonly execLookUp: string | null
  /** A file with the number of milliseconds by which both clocks are ahead. */
  readonly clockFile: string
  /** The number of the write at which the agent dies, from 1. 0: never. */
  readonly dieAt: number
  readonly dieWhen: 'before' | 'after' | 'torn'
  /** SIGSTOP: the agent prints `Frozen.` and freezes instead of dying. */
  readonly dieBy?: 'SIGKILL' | 'SIGSTOP'
}

const {
  clockFile,
  dieAt,
  dieWhen,
  dieBy = 'SIGKILL',
  stateFile,
  exec,
  execLookUp,
} = JSON.parse(process.argv[2] ?? '') as ChildInput

const append = JournalFile.prototype.append
let writes = 0
JournalFile.prototype.append = function (record: object): void {
  writes++
  if (writes === dieAt && dieWhen === 'torn') {
    const line = JSON.stringify(record)
    appendFileSync(statePaths(stateFile).journal, line.slice(0, line.length / 2))
  }
  if (writes === dieAt && dieWhen !== 'after') die()
  append.call(this, record)
  if (writes === dieAt && dieWhen === 'after') die()
}

function die(): void {
  if (dieBy === 'SIGSTOP') writeSync(2, 'Frozen.\n')
  process.kill(process.pid, dieBy)
}

const aheadMs = () => Number(readFileSync(clockFile, 'utf8'))
const stop = new AbortController()
process.once('SIGTERM', () => stop.abort())
void runAgent(
  {
    stateFile,
    server: null,
    code: null,
    authority: null,
    name: 'child',
    driver: {
      name: 'exec',
      command: exec,
      lookUpCommand: execLookUp,
      callCommand: null,
      exitZeroIsDelivered: true,
    },
  },
  {
    log: line => process.stderr.write(`${line}\n`),
    print: () => undefined,
    signal: stop.signal,
    env: process.env,
    askPassword: () => Promise.resolve(''),
    program: [],
    random: () => 0.01,
    clock: {
      monotonicMs: () => systemClock.monotonicMs() + aheadMs(),
      wallMs: () => systemClock.wallMs() + aheadMs(),
      after: systemClock.after,
    },
  },
).then(code => {
  process.exitCode = code
})
