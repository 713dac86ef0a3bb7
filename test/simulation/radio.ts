/** The part of a phone that transmits, and what the phone can learn about it after a crash. */
import type { JournalState } from '#contracts/phone-orders.ts'
import type { Entry, PhonePorts } from '#test/simulation/model-phone.ts'

export interface Program {
  /** Whether the program dies at this step; if so, nothing planned before it happens. */
  dies(): boolean
  /** Calls `act` after so many milliseconds, unless the program dies first. */
  later(ms: number, act: () => void): void
  /** Writes the entry. @returns whether the program died right after it */
  write(entry: Entry, state: JournalState, code?: string): boolean
  /** Whether the journal still has exactly this entry. */
  holds(entry: Entry): boolean
}

interface Command {
  /** `running`, `ended` before it sent, `submitted`, or the code of a failure. */
  outcome: string
}

export class Radio {
  readonly #ports: PhonePorts
  readonly #program: Program
  /** The phone's own list of what it sent, by message and attempt. */
  readonly #sentFolder = new Set<string>()
  /** The command that sends each message, by message and attempt. It goes on when the program dies. */
  readonly #commands = new Map<string, Command>()

  constructor(ports: PhonePorts, program: Program) {
    this.#ports = ports
    this.#program = program
  }

  /** The gateway said `go`: journal first, radio second. */
  start(entry: Entry): void {
    const { faults, schedule } = this.#ports
    this.#program.write(entry, 'submitting')
    if (this.#program.dies()) return
    const ms = faults.random.between(10, 4000)
    const command: Command = { outcome: 'running' }
    this.#commands.set(key(entry), command)
    schedule.after(ms, () => this.#transmit(entry, command))
    for (let at = 500; at < ms; at += 500) this.#program.later(at, () => void this.#program.dies())
    this.#program.later(ms, () => this.#record(entry, command))
  }

  /**
   * After a crash: ends a command that still runs. Then the sent folder, if it can be read, shows whether the
   * text was transmitted.
   */
  recover(entry: Entry): void {
    if (entry.state === 'submitted') return this.#confirmLater(entry)
    if (entry.state === 'sent') return this.#deliverLater(entry)
    if (entry.state !== 'submitting') return
    const command = this.#commands.get(key(entry))
    if (command?.outcome === 'running' && !this.#ports.mutant.phoneLeavesCommandRunning)
      command.outcome = 'ended'
    if (this.#ports.faults.chance(0.1)) entry.state = 'uncertain'
    else if (this.#sentFolder.has(key(entry))) {
      entry.state = 'submitted'
      this.#confirmLater(entry)
    } else entry.state = 'accepted'
    this.#ports.trace(`finds ${entry.messageId.slice(-3)}/${entry.attempt} ${entry.state}`)
  }

  #transmit(entry: Entry, command: Command): void {
    if (command.outcome !== 'running') return
    const { faults, transmitted, trace } = this.#ports
    if (faults.chance(0.12)) {
      command.outcome = faults.random.pick(['RADIO_OFF', 'NO_SERVICE', 'RESULT_ERROR_LIMIT_EXCEEDED'])
      return
    }
    // A generic failure proves nothing: half of them follow a real transmission.
    const isGeneric = faults.chance(0.04)
    if (!isGeneric || faults.random.chance(0.5)) {
      trace(`transmits ${entry.messageId.slice(-3)}/${entry.attempt}`)
      transmitted(entry.messageId, entry.attempt)
      this.#sentFolder.add(key(entry))
    }
    command.outcome = isGeneric ? 'GENERIC_FAILURE' : 'submitted'
  }

  #record(entry: Entry, { outcome }: Command): void {
    if (outcome === 'submitted' || outcome === 'GENERIC_FAILURE') if (this.#program.dies()) return
    if (outcome !== 'submitted') this.#program.write(entry, 'failed', outcome)
    else if (!this.#program.write(entry, 'submitted')) this.#confirmLater(entry)
  }

  #confirmLater(entry: Entry): void {
    this.#program.later(this.#ports.faults.random.between(10, 3000), () => {
      if (entry.state !== 'submitted') return
      if (this.#ports.losesSentReports && !this.#ports.faults.calm) return
      this.#deliverLater(entry)
      if (this.#ports.faults.chance(0.01)) return
      this.#program.write(entry, 'sent')
    })
  }

  /** Plans the network's delivery report, which may be missing or come before the radio's sent report. */
  #deliverLater(entry: Entry): void {
    const { faults } = this.#ports
    const fate = faults.random.next()
    if (fate > 0.7) return
    this.#program.later(faults.random.between(100, 30_000), () => {
      if (!this.#program.holds(entry) || (entry.state !== 'sent' && entry.state !== 'submitted')) return
      if (fate < 0.65 || entry.state !== 'sent') this.#program.write(entry, 'delivered')
      else this.#program.write(entry, 'failed', 'UNDELIVERED')
    })
  }
}

function key(entry: Entry): string {
  return `${entry.messageId}/${entry.attempt}`
}
