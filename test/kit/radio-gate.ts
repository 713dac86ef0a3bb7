/**
 * The radio of `roost agent --driver exec`. Its commands report each run here, and end when the test ends
 * them.
 */
import { EventEmitter, once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import type { Cleaner } from '#test/kit/gateway-process.ts'

export interface RadioCall {
  readonly messageId: string
  /** Ends the command with this exit code. */
  end(exitCode: number): void
}

export class RadioGate {
  /** `messageId attempt`, once for each run of the command. */
  readonly runs: string[] = []
  /** If true, each command ends at once with the exit code 0, and the test does not see it. */
  endsAtOnce = false
  readonly #server: Server
  readonly #calls: RadioCall[] = []
  readonly #news = new EventEmitter()

  private constructor(server: Server) {
    this.#server = server
    server.on('connection', socket => {
      socket.on('error', () => undefined)
      socket.once('data', data => this.#take(String(data).trim().split(' '), socket))
    })
  }

  static async start(t: Cleaner): Promise<RadioGate> {
    const server = createServer()
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    t.after(() => server.close())
    return new RadioGate(server)
  }

  get exec(): string {
    return this.#command('send')
  }

  get execLookUp(): string {
    return this.#command('look-up')
  }

  runsOf(messageId: string): number {
    return this.runs.filter(run => run.startsWith(messageId)).length
  }

  /** The next waiting run of the command. */
  async called(): Promise<RadioCall> {
    for (;;) {
      const call = this.#calls.shift()
      if (call !== undefined) return call
      await once(this.#news, 'call')
    }
  }

  #take([kind, messageId = '', attempt]: string[], socket: Socket): void {
    const end = (exitCode: number) => void socket.end(String(exitCode))
    const run = `${messageId} ${attempt}`
    if (kind === 'look-up') return end(this.runs.includes(run) ? 0 : 1)
    this.runs.push(run)
    if (this.endsAtOnce) return end(0)
    this.#calls.push({ messageId, end })
    this.#news.emit('call')
  }

  /** A command line that sends its message here, waits for the answer, and exits with the code in it. */
  #command(kind: string): string {
    const { port } = this.#server.address() as AddressInfo
    const line = `"${kind} "+e.ROOST_MESSAGE_ID+" "+e.ROOST_ATTEMPT`
    const script = `const e=process.env,s=require("net").connect(${port},"127.0.0.1",()=>s.write(${line}));`
    return `'${process.execPath}' -e '${script}s.on("data",d=>process.exit(+d))'`
  }
}
