/** The fake local server of SMSGate in a process of its own, which a test can kill and restart. */
import { join } from 'node:path'
import { bundled } from '#test/kit/bundle.ts'
import { linesOf } from '#test/kit/lines.ts'
import { type Program, start } from '#test/kit/program.ts'
import type { Random } from '#test/kit/random.ts'
import type { PhoneInput } from '#test/kit/smsgate-phone.program.ts'

const PORT_TRIES_MAX = 20

export class SmsgateProcess {
  port = 0
  readonly #file: string
  readonly #transmittedFile: string
  readonly #dice: Random
  #program: Program | null = null

  constructor(folder: string, dice: Random) {
    this.#file = join(folder, 'phone.jsonl')
    this.#transmittedFile = join(folder, 'transmitted.txt')
    this.#dice = dice
  }

  /** The parameters are those of `PhoneInput`. */
  async start(dieAt: PhoneInput['dieAt'], isUnreliable: boolean): Promise<void> {
    const seed = this.#dice.below(2 ** 31)
    const files = { file: this.#file, transmittedFile: this.#transmittedFile }
    const input: PhoneInput = { ...files, port: this.port, seed, dieAt, isUnreliable }
    const line = await this.#startProgram(input)
    this.port = Number(line.split(' ')[1])
  }

  /** Starts the program again if it ends at once: another program may have taken its port in the meantime. */
  async #startProgram(input: PhoneInput): Promise<string> {
    for (let left = PORT_TRIES_MAX; ; left--) {
      this.#program = start([process.execPath, bundled('smsgate-phone'), JSON.stringify(input)], { cwd: '/' })
      try {
        return await this.#program.stdout.until(/^listening/)
      } catch (error) {
        if (left === 1) throw new Error(`${this.#program.stderr.text}`, { cause: error })
      }
    }
  }

  /** Resolves when a text reaches this step, or the phone is dead. */
  async reached(step: string): Promise<void> {
    const { stdout, ended } = this.#program ?? {}
    const printed = stdout?.until(new RegExp(`^${step}$`)).catch(() => undefined)
    await Promise.race([printed, ended])
  }

  /** Calls `onOutput` whenever the running phone prints something. */
  watchOutput(onOutput: () => void): void {
    this.#program?.child.stdout?.on('data', onOutput)
  }

  async kill(): Promise<void> {
    this.#program?.child.kill('SIGKILL')
    await this.#program?.ended
  }

  /** Ids that the phone accepted, and ids that were transmitted, in order, repetitions included. */
  records(): { readonly taken: string[]; readonly transmitted: string[] } {
    const taken = linesOf(this.#file).flatMap(line => {
      const row = rowIn(line)
      return row !== null && Object.keys(row.states).length === 1 ? [row.id] : []
    })
    return { taken, transmitted: linesOf(this.#transmittedFile) }
  }
}

/** Ignores a line that a kill cut short. */
function rowIn(line: string): { readonly id: string; readonly states: object } | null {
  try {
    return (JSON.parse(line) as { row?: { id: string; states: object } }).row ?? null
  } catch {
    return null
  }
}
