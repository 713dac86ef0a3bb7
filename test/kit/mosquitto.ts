/** Debian's broker mosquitto, and a client that listens to everything. */

import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { connectAsync, type MqttClient } from 'mqtt'
import { freePort } from '#test/kit/free-ports.ts'
import type { Cleaner } from '#test/kit/gateway-process.ts'

export const LOGIN = { username: 'roost', password: 'broker-pass-word' }

/** Why tests with a broker cannot run here; false: they can. */
export const NO_BROKER =
  spawnSync('mosquitto_passwd', ['--help']).error === undefined &&
  spawnSync('/bin/sh', ['-c', 'command -v mosquitto || test -x /usr/sbin/mosquitto']).status === 0
    ? false
    : 'mosquitto is not installed: apt-get install mosquitto'

export interface Heard {
  readonly topic: string
  readonly text: string
  readonly isRetained: boolean
}

export class Mosquitto {
  readonly port: number
  readonly passwordFile: string
  readonly #folder: string
  #child: ChildProcess | undefined

  private constructor(port: number) {
    this.port = port
    this.#folder = mkdtempSync(join(tmpdir(), 'roost-broker-'))
    this.passwordFile = join(this.#folder, 'password')
    writeFileSync(this.passwordFile, `${LOGIN.password}\n`)
    const users = join(this.#folder, 'users')
    spawnSync('mosquitto_passwd', ['-b', '-c', users, LOGIN.username, LOGIN.password])
    const lines = [
      `listener ${port} 127.0.0.1`,
      'allow_anonymous false',
      `password_file ${users}`,
      'user root',
    ]
    writeFileSync(join(this.#folder, 'broker.conf'), lines.join('\n'))
  }

  static async start(t: Cleaner): Promise<Mosquitto> {
    const broker = new Mosquitto(await freePort())
    t.after(async () => {
      await broker.stop()
      rmSync(broker.#folder, { recursive: true })
    })
    await broker.run()
    return broker
  }

  async run(): Promise<void> {
    const path = `${process.env['PATH']}:/usr/sbin`
    const child = spawn('mosquitto', ['-c', join(this.#folder, 'broker.conf'), '-v'], {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { ...process.env, PATH: path },
    })
    this.#child = child
    const lines = createInterface({ input: child.stderr })
    for await (const line of lines) if (/ running$/.test(line)) break
    child.stderr.resume()
  }

  async stop(): Promise<void> {
    const child = this.#child
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGKILL')
    await once(child, 'exit')
  }

  get url(): string {
    return `mqtt://127.0.0.1:${this.port}`
  }
}

/** Hears everything at a broker, and says what a test wants. */
export class Listener {
  readonly heard: Heard[] = []
  readonly client: MqttClient
  #changed = () => {}

  private constructor(client: MqttClient) {
    this.client = client
    client.on('message', (topic, payload, { retain }) => {
      this.heard.push({ topic, text: payload.toString(), isRetained: retain })
      this.#changed()
    })
  }

  static async open(t: Cleaner, broker: Mosquitto): Promise<Listener> {
    const listener = new Listener(await connectAsync(broker.url, { ...LOGIN, reconnectPeriod: 100 }))
    t.after(() => listener.client.endAsync(true))
    await listener.client.subscribeAsync('#', { qos: 2 })
    return listener
  }

  say(topic: string, text: string, retain = false): Promise<unknown> {
    return this.client.publishAsync(topic, text, { qos: 2, retain })
  }

  /** The newest message that fits, as soon as there is one. */
  async until(fits: (heard: Heard) => boolean): Promise<Heard> {
    for (;;) {
      const found = this.heard.findLast(fits)
      if (found !== undefined) return found
      await new Promise<void>(resolve => {
        this.#changed = resolve
      })
    }
  }
}
