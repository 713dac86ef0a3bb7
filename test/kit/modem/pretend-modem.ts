/**
 * A modem that speaks AT commands on an abstract socket, as ModemManager wants it for tests. It knows what
 * really left (`onAir`), and has faults.
 */
import { once } from 'node:events'
import { createServer, type Server, type Socket } from 'node:net'
import { systemClock } from '#agent/clock.ts'
import { ACCEPTED, FIXED, swapped } from '#test/kit/modem/modem-answers.ts'
import { deliverPdus, readSubmit, type Submitted, statusReportPdu } from '#test/kit/modem/sms-pdu.ts'

/**
 * What happens to the next texts. `refuse`: the network says no. `silent`: the text leaves, and the host
 * never hears of it. `hang`: the modem answers nothing any more, to no command. `slow`: the answer comes when
 * `release` is called.
 */
export type ModemFault = 'none' | 'refuse' | 'silent' | 'hang' | 'slow'

export interface OnAir extends Submitted {
  readonly reference: number
}

interface Stored {
  readonly pdu: string
  /** The whole text, and how many parts it has. */
  readonly text: string
  readonly parts: number
  isRead: boolean
}

const CTRL_Z = '\x1a'
const MEMORY_SIZE = 255
/** The time from one part of a text to the next. ModemManager needs a moment to be ready again. */
const ARRIVAL_EVERY_MS = 100

export class PretendModem {
  readonly imei: string
  /** Everything that was transmitted, in order. */
  readonly onAir: OnAir[] = []
  /** Received texts by index. All are in the storage ME; that of the SIM is empty. */
  readonly memory = new Map<number, Stored>()
  /** Parts that ModemManager handed over, those that did not leave included. */
  submitted = 0
  /** Every command, in order. */
  readonly commands: string[] = []
  fault: ModemFault = 'none'
  /** Whether it refuses the next text although it has no fault. */
  refusesNext: () => boolean = () => false
  /** The code of a refusal, +CMS ERROR. */
  refusal = 38
  /** Whether each text that left is confirmed at once. */
  reportsDelivery = true
  /**
   * Whether the parts of a text arrive at the same moment. ModemManager reads only the first of them then.
   * Otherwise each comes after the one before was read.
   */
  isBursty = false
  picksUp = false
  isBusy = false
  isRoaming = false
  hasService = true
  /** The right PIN. Null: the SIM asks for none. */
  pin: string | null = null
  pinTries = 3
  iccid = '8949000000000000001'
  dialed: string[] = []
  get isRinging(): boolean {
    return this.#call === 'alerting'
  }

  /** Calls that were hung up. */
  hangUps = 0
  isUnlocked = false
  #call: 'none' | 'dialing' | 'alerting' | 'active' = 'none'
  #clccs = 0
  #reference = 0
  /** Indexes of texts that ModemManager was not told of, or has not read yet. */
  #arrivals: number[] = []
  #operator = '2,"26201",7'
  /** What the chosen storage has. ModemManager reads both: a text in both would be deleted twice. */
  #chosen = this.memory
  #server: Server
  #socket: Socket | null = null
  #release: (() => void)[] = []
  #news = new EventTarget()

  private constructor(imei: string) {
    this.imei = imei
    this.#server = createServer(socket => this.#serve(socket))
  }

  /** `name`: that of the abstract socket. */
  static async start(name: string, imei = '490154203237518'): Promise<PretendModem> {
    const modem = new PretendModem(imei)
    modem.#server.listen(`\0abstract:${name}`)
    await once(modem.#server, 'listening')
    return modem
  }

  stop(): void {
    this.#socket?.destroy()
    this.#server.close()
  }

  /** Resolves when the condition holds; it is tried after each command and each text. */
  async until(holds: () => boolean): Promise<void> {
    while (!holds()) await once(this.#news, 'news')
  }

  /** Answers what `slow` held back. */
  release(): void {
    for (const answer of this.#release.splice(0)) answer()
  }

  /** A text arrives, or only the first of its parts. Returns false when the memory has no room. */
  receive(
    text: { readonly from: string; readonly text: string; readonly at: Date; readonly reference?: number },
    parts = Infinity,
  ): boolean {
    const all = deliverPdus({ reference: 1, ...text })
    const pdus = all.slice(0, parts)
    if (this.memory.size + pdus.length > MEMORY_SIZE) return false
    for (const pdu of pdus) {
      let index = 1
      while (this.memory.has(index)) index++
      this.memory.set(index, { pdu, text: text.text, parts: all.length, isRead: false })
      this.#arrivals.push(index)
      if (this.isBursty || this.#arrivals.length === 1) this.#arrived(index)
    }
    return true
  }

  /** The recipient's phone confirms (or `status` says why not). */
  report(sent: Pick<OnAir, 'phoneNumber' | 'reference'>, status = 0): void {
    const pdu = statusReportPdu({ ...sent, status }, new Date())
    this.#write(`\r\n+CDS: ${pdu.length / 2 - 1}\r\n${pdu}\r\n`)
  }

  /** The line to ModemManager is cut, and a new modem answers when it connects again. */
  #serve(socket: Socket): void {
    this.#socket?.destroy()
    this.#socket = socket
    this.#arrivals = []
    socket.on('error', () => undefined)
    let buffer = ''
    let isPdu = false
    socket.setEncoding('latin1')
    socket.on('data', (chunk: string) => {
      buffer += chunk
      for (;;) {
        const end = buffer.indexOf(isPdu ? CTRL_Z : '\r')
        if (end < 0) return
        const line = buffer.slice(0, end)
        buffer = buffer.slice(end + 1)
        if (isPdu) {
          isPdu = false
          this.#submit(line.trim())
        } else if (line.trim() !== '') isPdu = this.#command(line.trim())
      }
    })
  }

  #write(text: string): void {
    if (this.fault !== 'hang') this.#socket?.write(text)
  }

  #told(): void {
    this.#news.dispatchEvent(new Event('news'))
  }

  #submit(pdu: string): void {
    const answer = this.fault === 'none' && this.refusesNext() ? 'refuse' : this.fault
    this.submitted++
    if (answer === 'refuse') {
      this.#write(`\r\n+CMS ERROR: ${this.refusal}\r\n`)
      return this.#told()
    }
    if (answer === 'hang') return this.#told()
    this.#reference = (this.#reference + 1) % 256
    const sent = { ...readSubmit(pdu), reference: this.#reference }
    this.onAir.push(sent)
    const confirm = () => {
      this.#write(`\r\n+CMGS: ${sent.reference}\r\n\r\nOK\r\n`)
      if (this.reportsDelivery && sent.wantsReport) this.report(sent)
    }
    if (answer === 'slow') this.#release.push(confirm)
    else if (answer !== 'silent') confirm()
    this.#told()
  }

  /** True: the command wants a PDU now. */
  #command(line: string): boolean {
    this.commands.push(line)
    this.#told()
    if (this.fault === 'hang') return false
    if (/^AT\+CMGS=/.test(line)) {
      this.#write('\r\n> ')
      return true
    }
    const answer = this.#answer(line.replace(/^AT/i, ''))
    this.#write(`\r\n${answer}\r\n`)
    return false
  }

  /** The answer to a command, with its final line. */
  #answer(command: string): string {
    const say = (...lines: string[]) => [lines.join('\r\n'), 'OK'].filter(one => one !== '').join('\r\n\r\n')
    const fixed = FIXED[command]
    if (fixed !== undefined) return say(...fixed)
    if (command === '+CGSN') return say(this.imei)
    if (command === '+CRSM=176,12258,0,0,10') return say(`+CRSM: 144,0,"${swapped(this.iccid)}"`)
    if (command === '+CPIN?') return say(`+CPIN: ${this.#isLocked() ? 'SIM PIN' : 'READY'}`)
    if (command.startsWith('+CPIN=')) return this.#tryPin(command)
    if (/^\+C(G|E)?REG\?$/.test(command)) {
      const status = this.hasService ? (this.isRoaming ? 5 : 1) : 0
      return say(`${command.slice(0, -1)}: 2,${status},"00C3","0000A7F1"`)
    }
    if (command === '+COPS?') return say(`+COPS: 0,${this.#operator}`)
    if (command.startsWith('+COPS=3,'))
      this.#operator = command.endsWith('0') ? '0,"Test Mobile",7' : '2,"26201",7'
    if (command.startsWith('+CPMS="'))
      this.#chosen = command.startsWith('+CPMS="SM"') ? new Map() : this.memory
    if (command.startsWith('+CMGL')) return say(...this.#list())
    if (command.startsWith('+CMGR=')) return this.#read(Number(command.slice(6)))
    if (command.startsWith('+CMGD=')) return this.#delete(Number.parseInt(command.slice(6), 10))
    if (/^D/.test(command)) return this.#dial(command)
    if (command === '+CLCC') return say(...this.#calls())
    if (command === '+CHUP' || command === 'H') return this.#hangUp()
    return ACCEPTED.test(command) ? 'OK' : 'ERROR'
  }

  #arrived(index: number | undefined): void {
    if (index !== undefined) this.#write(`\r\n+CMTI: "ME",${index}\r\n`)
  }

  #isLocked(): boolean {
    return this.pin !== null && !this.isUnlocked
  }

  #tryPin(command: string): string {
    if (command.includes(`"${this.pin}"`)) {
      this.isUnlocked = true
      return 'OK'
    }
    this.pinTries--
    return '+CME ERROR: 16'
  }

  #list(): string[] {
    return [...this.#chosen].flatMap(([index, stored]) => {
      const state = stored.isRead ? 1 : 0
      stored.isRead = true
      return [`+CMGL: ${index},${state},,${stored.pdu.length / 2 - 1}`, stored.pdu]
    })
  }

  #read(index: number): string {
    const stored = this.#chosen.get(index)
    if (this.#arrivals[0] === index) {
      this.#arrivals.shift()
      if (!this.isBursty) systemClock.after(ARRIVAL_EVERY_MS, () => this.#arrived(this.#arrivals[0]))
    }
    if (stored === undefined) return '+CMS ERROR: 321'
    stored.isRead = true
    return `+CMGR: 0,,${stored.pdu.length / 2 - 1}\r\n${stored.pdu}\r\n\r\nOK`
  }

  #delete(index: number): string {
    const isThere = this.#chosen.delete(index)
    queueMicrotask(() => this.#told())
    return isThere ? 'OK' : '+CMS ERROR: 321'
  }

  #dial(command: string): string {
    this.dialed.push(command.slice(1, -1))
    this.#call = 'dialing'
    this.#clccs = 0
    return 'OK'
  }

  /** The call goes on with each look at it. */
  #calls(): string[] {
    if (this.#call === 'none') return []
    this.#clccs++
    if (this.isBusy && this.#clccs === 2) {
      this.#call = 'none'
      queueMicrotask(() => this.#write('\r\nBUSY\r\n'))
      return [`+CLCC: 1,0,2,0,0,"${this.dialed.at(-1)}",145`]
    }
    if (this.#clccs === 2) this.#call = 'alerting'
    if (this.#clccs >= 3 && this.picksUp) this.#call = 'active'
    const status = { dialing: 2, alerting: 3, active: 0 }[this.#call]
    return [`+CLCC: 1,0,${status},0,0,"${this.dialed.at(-1)}",145`]
  }

  #hangUp(): string {
    if (this.#call !== 'none') this.hangUps++
    this.#call = 'none'
    return 'OK'
  }
}
