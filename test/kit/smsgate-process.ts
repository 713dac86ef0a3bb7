/** The stand-in for SMSGate's local server in a process of its own, which a test kills and starts again. */
import { join } from 'node:path'
import { bundled } from '#test/kit/bundle.ts'
import type { Dice } from '#test/kit/dice.ts'
import { linesOf } from '#test/kit/lines.ts'
import { type Program, start } from '#test/kit/program.ts'
import type { PhoneInput } from '#test/kit/smsgate-phone.program.ts'

export class SmsgateProcess {
  port = 0
  readonly #file: string
  readonly #airFile: string
  readonly #dice: Dice
  #program: Program | null = null

  constructor(folder: string, dice: Dice) {
    this.#file = join(folder, 'phone.jsonl')
    this.#airFile = join(folder, 'air.txt')
    this.#dice = dice
  }

  async start(dieAt: PhoneInput['dieAt'], isUnreliable: boolean): Promise<void> {
    const seed = this.#dice.below(2 ** 31)
    const files = { file: this.#file, airFile: this.#airFile }
    const input: PhoneInput = { ...files, port: this.port, seed, dieAt, isUnreliable }
    const program = bundled('smsgate-phone')
    this.#program = start([process.execPath, program, JSON.stringify(input)], { cwd: '/' })
    const line = await this.#program.stdout.until(/^listening/)
    this.port = Number(line.split(' ')[1])
  }

  /** Ends when a text takes this step, or the phone is dead. */
  async reached(step: string): Promise<void> {
    const { stdout, ended } = this.#program ?? {}
    const said = stdout?.until(new RegExp(`^${step}$`)).catch(() => undefined)
    await Promise.race([said, ended])
  }

  /** Calls this whenever the running phone says something. */
  listen(heard: () => void): void {
    this.#program?.child.stdout?.on('data', heard)
  }

  async kill(): Promise<void> {
    this.#program?.child.kill('SIGKILL')
    await this.#program?.ended
  }

  /** Ids that the phone took, and ids that went on the air, each time that they did. */
  books(): { readonly taken: string[]; readonly air: string[] } {
    const taken = linesOf(this.#file).flatMap(line => {
      const row = rowIn(line)
      return row !== null && Object.keys(row.states).length === 1 ? [row.id] : []
    })
    return { taken, air: linesOf(this.#airFile) }
  }
}

/** A line that a kill cut short is none. */
function rowIn(line: string): { readonly id: string; readonly states: object } | null {
  try {
    return (JSON.parse(line) as { row?: { id: string; states: object } }).row ?? null
  } catch {
    return null
  }
}
