import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import type { TestContext } from 'node:test'
import { termuxDriver } from '#agent/drivers/termux/termux-driver.ts'
import { HandClock } from '#test/kit/hand-clock.ts'
import { temporaryDirectory } from '#test/kit/temporary-directory.ts'

export interface Sms {
  _id: number
  type: string
  address: string
  body: string
  received?: string
}

/** A fake phone: the commands of Termux:API as scripts that read and write files in a folder. */
export class TermuxPhone {
  readonly clock = new HandClock()
  readonly driver
  readonly #folder: string

  constructor(t: TestContext) {
    this.#folder = temporaryDirectory(t)
    this.script('termux-sms-send', 'printf "%s\\n" "$@" > "$0.args"; cat > "$0.text"')
    this.script('termux-sms-list', 'cat "$(dirname "$0")/$2.json"')
    this.setTexts([{ _id: 20, type: 'sent', address: '+15550111', body: 'earlier' }])
    const path = `${this.#folder}${delimiter}${process.env['PATH']}`
    mkdirSync(join(this.#folder, 'libexec'))
    this.grantPermission()
    this.driver = termuxDriver(this.clock, { ...process.env, PATH: path, PREFIX: this.#folder })
  }

  /** Makes Termux:API answer, with the permission to send. */
  grantPermission(): void {
    this.script('libexec/termux-api', 'printf "%s\\n" "$@" >> "$0.asked"')
  }

  script(name: string, body: string): void {
    this.#write(name, `#!/bin/sh\n${body}\n`)
  }

  /** Makes the command print this value as JSON. */
  setAnswer(name: string, value: unknown): void {
    this.script(name, `cat <<'END'\n${JSON.stringify(value)}\nEND`)
  }

  /** Replaces all texts that the phone has stored, sent and received. */
  setTexts(list: Sms[]): void {
    const rows = list.map(sms => ({ threadid: 1, read: true, number: sms.address, received: '', ...sms }))
    for (const type of ['sent', 'inbox'])
      this.#write(`${type}.json`, JSON.stringify(rows.filter(sms => sms.type === type)))
    this.#write('all.json', JSON.stringify(rows))
  }

  /** Removes a command or another file of the phone. */
  remove(name: string): void {
    rmSync(join(this.#folder, name))
  }

  has(name: string): boolean {
    return existsSync(join(this.#folder, name))
  }

  read(name: string): string {
    return readFileSync(join(this.#folder, name), 'utf8')
  }

  /** Writes in one step, because a command of the driver may be reading. */
  #write(name: string, text: string): void {
    const file = join(this.#folder, name)
    writeFileSync(`${file}.new`, text)
    chmodSync(`${file}.new`, 0o755)
    renameSync(`${file}.new`, file)
  }
}
