/** A mail client that sends what a test tells it to, byte by byte, and reads the answers. */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'

export class MailClient {
  #socket: Socket
  #received = ''
  #isClosed = false
  #greeting = ''
  #changed: () => void = () => undefined

  private constructor(socket: Socket) {
    this.#socket = socket
    socket.setEncoding('latin1')
    this.#listen()
    socket.on('close', () => {
      this.#isClosed = true
      this.#changed()
    })
  }

  #listen(): void {
    this.#socket.on('data', text => {
      this.#received += text
      this.#changed()
    })
    this.#socket.on('error', () => undefined)
  }

  /**
   * Begins TLS after the answer to STARTTLS, and trusts only this authority (PEM).
   *
   * @throws if the certificate is of another one
   */
  async secure(authority: string): Promise<void> {
    const plain = this.#socket.removeAllListeners('data')
    const socket = connectTls({ socket: plain, ca: authority, host: '127.0.0.1' })
    await once(socket, 'secureConnect')
    this.#socket = socket.setEncoding('latin1')
    this.#listen()
  }

  /** Connects, and reads the greeting. `from`: an address of this machine. */
  static async open(port: number, from = '127.0.0.1'): Promise<MailClient> {
    const client = new MailClient(connect({ port, host: '127.0.0.1', localAddress: from }))
    client.#greeting = await client.answer()
    return client
  }

  /** The first answer, before any command. */
  get greeting(): string {
    return this.#greeting
  }

  /** Sends a line and returns the whole answer. */
  say(line: string): Promise<string> {
    this.write(`${line}\r\n`)
    return this.answer()
  }

  write(bytes: string | Uint8Array): void {
    this.#socket.write(bytes)
  }

  /** Sends the last bytes and the end of this half of the connection in one packet, as exim4 does. */
  end(bytes: string): void {
    this.#socket.end(bytes)
  }

  /** The next answer, all its lines; empty: the connection is closed. */
  async answer(): Promise<string> {
    for (;;) {
      const found = /^(?:\d{3}-.*\r\n)*\d{3} .*\r\n/.exec(this.#received)?.[0]
      if (found !== undefined) {
        this.#received = this.#received.slice(found.length)
        return found.trimEnd()
      }
      if (this.#isClosed) return ''
      await new Promise<void>(resolve => {
        this.#changed = resolve
      })
    }
  }

  /** Sends one mail; returns the answers to the recipients and to the mail. */
  async send(recipients: readonly string[], mail: string): Promise<readonly string[]> {
    await this.say('EHLO device')
    await this.say('MAIL FROM:<device@example.net>')
    const answers: string[] = []
    for (const recipient of recipients) answers.push(await this.say(`RCPT TO:<${recipient}>`))
    if (!answers.some(answer => answer.startsWith('250'))) return answers
    await this.say('DATA')
    return [...answers, await this.say(`${mail}\r\n.`)]
  }

  /** Resolves when the gateway has closed the connection. */
  async closed(): Promise<void> {
    while (!this.#isClosed) await this.answer()
  }

  close(): void {
    this.#socket.destroy()
  }
}
