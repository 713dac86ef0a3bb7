/**
 * A page in Debian's Firefox, by WebDriver BiDi: the few commands that tests need. playwright asks this
 * Firefox for commands that it does not have.
 *
 * @see https://www.w3.org/TR/webdriver-bidi/
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createInterface } from 'node:readline'
import WebSocket from 'ws'
import type { Cleaner } from '#test/kit/gateway-process.ts'
import { temporaryDirectory } from '#test/kit/temporary-directory.ts'
import { sized } from '#test/kit/test-size.ts'

const FIREFOX = '/usr/bin/firefox-esr'
const LISTENING = /WebDriver BiDi listening on (ws:\S+)/

/** Why no test runs in Firefox; false: they run. In `npm test` the console is tested in one browser. */
export const withoutFirefox = whyNot()

function whyNot(): string | false {
  if (sized(0, 1) === 0) return 'a second browser takes long: scripts/prove.sh browsers'
  if (existsSync(FIREFOX)) return false
  return 'firefox-esr is not installed: apt-get install firefox-esr'
}

type Json = Readonly<Record<string, unknown>>

/** Special keys, as WebDriver writes them. */
export const KEYS = { tab: '\uE004', enter: '\uE007' } as const

export class FirefoxPage {
  /** Exceptions and errors that the page has logged. */
  readonly faults: string[] = []
  readonly #socket: WebSocket
  readonly #answers = new Map<number, { resolve(result: Json): void; reject(error: Error): void }>()
  #lastId = 0
  #context = ''

  private constructor(socket: WebSocket) {
    this.#socket = socket
    socket.on('message', data => this.#take(JSON.parse(String(data)) as Json))
  }

  /** Starts a browser of its own, on a new profile. */
  static async open(t: Cleaner): Promise<FirefoxPage> {
    const profile = temporaryDirectory(t)
    const args = ['--headless', '--no-remote', '--remote-debugging-port', '0', '--profile', profile]
    const env = { ...process.env, HOME: profile }
    const browser = spawn(FIREFOX, args, { stdio: ['ignore', 'ignore', 'pipe'], env })
    t.after(async () => {
      browser.kill('SIGKILL')
      await once(browser, 'exit')
    })
    const socket = new WebSocket(`${await addressOf(browser)}/session`)
    await once(socket, 'open')
    t.after(() => socket.close())
    const page = new FirefoxPage(socket)
    await page.#send('session.new', { capabilities: {} })
    await page.#send('session.subscribe', { events: ['log.entryAdded'] })
    page.#context = String((await page.#send('browsingContext.create', { type: 'tab' }))['context'])
    return page
  }

  async resize(width: number, height: number): Promise<void> {
    await this.#send('browsingContext.setViewport', { context: this.#context, viewport: { width, height } })
  }

  async goto(url: string): Promise<void> {
    await this.#send('browsingContext.navigate', { context: this.#context, url, wait: 'complete' })
  }

  async setCookie(name: string, value: string, domain: string): Promise<void> {
    const cookie = { name, value: { type: 'string', value }, domain, path: '/', httpOnly: true }
    await this.#send('storage.setCookie', { cookie })
  }

  /** The value of an expression, or what its promise resolves to; it must be JSON. */
  async evaluate(expression: string): Promise<unknown> {
    const target = { context: this.#context }
    const json = `Promise.resolve(${expression}).then(value => JSON.stringify(value ?? null))`
    const answer = await this.#send('script.evaluate', { expression: json, target, awaitPromise: true })
    if (answer['type'] !== 'success') throw new Error(JSON.stringify(answer))
    return JSON.parse(String((answer['result'] as Json)['value']))
  }

  /** Waits until an expression is true, looking at each frame that is drawn. */
  async until(expression: string): Promise<void> {
    await this.evaluate(`new Promise(done => {
      const look = () => (${expression}) ? done(true) : requestAnimationFrame(look)
      look()
    })`)
  }

  /** Presses one key after the other. */
  async press(...keys: readonly string[]): Promise<void> {
    const actions = keys.flatMap(value => [
      { type: 'keyDown', value },
      { type: 'keyUp', value },
    ])
    const source = { type: 'key', id: 'keyboard', actions }
    await this.#send('input.performActions', { context: this.#context, actions: [source] })
  }

  #send(method: string, params: Json): Promise<Json> {
    this.#lastId += 1
    const { promise, resolve, reject } = Promise.withResolvers<Json>()
    this.#answers.set(this.#lastId, { resolve, reject })
    this.#socket.send(JSON.stringify({ id: this.#lastId, method, params }))
    return promise
  }

  #take(message: Json): void {
    const params = message['params'] as Json | undefined
    if (message['method'] === 'log.entryAdded' && params?.['level'] === 'error')
      this.faults.push(String(params['text']))
    const answer = this.#answers.get(Number(message['id']))
    if (message['type'] === 'success') answer?.resolve(message['result'] as Json)
    else if (message['type'] === 'error')
      answer?.reject(new Error(`${message['error']}: ${message['message']}`))
  }
}

async function addressOf(browser: ChildProcess): Promise<string> {
  if (browser.stderr === null) throw new Error('Firefox has no standard error')
  for await (const line of createInterface(browser.stderr)) {
    const [, address] = LISTENING.exec(line) ?? []
    if (address !== undefined) {
      browser.stderr.resume()
      return address
    }
  }
  throw new Error('Firefox ended before it listened')
}
