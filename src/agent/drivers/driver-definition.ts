/** What the folder of a driver says about it: its flags, their help, what it can do, and how it starts. */
import type { Clock } from '#agent/clock.ts'
import type { Driver } from '#agent/drivers/driver.ts'
import type { Health } from '#agent/health.ts'

/** A flag of both programs that run the agent: `roost agent` and the single file for phones. */
export interface Flag {
  /** What help calls its value, in capitals. Null: it is a switch, without a value. */
  readonly value: string | null
  /** What it is for, in a few words, for the help of `roost agent`. */
  readonly brief: string
}

export interface DriverFlag extends Flag {
  /** The same at length, line by line, for the help of the single file. */
  readonly help: readonly string[]
}

/** Flags by name, without hyphens in front. The names of all drivers differ. */
export type Flags = Readonly<Record<string, DriverFlag>>

/** What was given for each flag. A flag that is missing was not given. */
export type Given<F extends Readonly<Record<string, Flag>>> = {
  readonly [Name in keyof F]?: ValueOf<F[Name]['value']> | undefined
}
type ValueOf<Value> = Value extends null ? boolean : string

/** What a driver can use of the program that runs it. */
export interface DriverPorts {
  readonly clock: Clock
  /** The state file of the device. A driver that keeps a file puts it beside this one. */
  readonly stateFile: string
  /** Prints a line for people, given without its line end, on standard error. */
  readonly log: (line: string) => void
  /** Prints a line of data, given without its line end, on standard output. */
  readonly print: (line: string) => void
  /** Whether `print` prints on a terminal. Default: it does not. */
  readonly isTerminal?: boolean
  /** Environment of the commands that drivers run. */
  readonly env: NodeJS.ProcessEnv
  /** Asks the person at the terminal, or reads a line from standard input. */
  readonly askPassword: (question: string) => Promise<string>
  /** The command that starts this agent, without options. The boot script of Termux contains it. */
  readonly program: readonly string[]
}

export interface DriverDefinition<Options extends { readonly name: string }, F extends Flags = Flags> {
  /** What it does, in a few words, for the help of `roost agent`. */
  readonly brief: string
  /** The same for the help of the single file. */
  readonly help: string
  readonly flags: F
  /** Reads the driver's flags. Returns a sentence if one is wrong or missing. */
  readOptions(given: Given<F>): Options | string
  /** @throws AgentError if the owner must change something first */
  start(options: Options, ports: DriverPorts): Driver | Promise<Driver>
  /** The kind of phone that sends. Left out: this computer sends. */
  readonly platform?: string
  /** Waits until the phone can send, before it is paired. @throws AgentError if it cannot */
  beforePairing?(health: Health): Promise<void>
  /** Makes the agent survive sleep and restarts of the phone. Returns sentences for the owner. */
  keepRunning?(ports: DriverPorts): Promise<readonly string[]>
}
