/** A firm of `scripts/prove-firms.ts`: an account of the gateway, whose phones send at once. */
import type { GatewayProcess } from '#test/kit/gateway-process.ts'
import { PairedPhone } from '#test/kit/paired-phone.ts'

/** An object of an answer. */
export type Data = Record<string, unknown>

export class Firm {
  readonly phones: PairedPhone[] = []
  readonly name: string
  readonly key: string
  /** What went wrong, of all firms. */
  static readonly faults: string[] = []
  readonly #token: string
  readonly #gateway: GatewayProcess

  private constructor(gateway: GatewayProcess, made: { name: string; key: string; token: string }) {
    this.#gateway = gateway
    this.name = made.name
    this.key = made.key
    this.#token = made.token
  }

  /** Makes the account, named `<name>@example.org`, with three phones. */
  static async open(gateway: GatewayProcess, name: string, plan: string): Promise<Firm> {
    const email = `${name}@example.org`
    await gateway.cli('account', 'create', email, '--plan', plan)
    const { key } = await gateway.cli('key', 'create', '--account', email)
    const { token } = await gateway.cli('token', '--account', email)
    const firm = new Firm(gateway, { name, key: String(key), token: String(token) })
    for (let at = 0; at < 3; at++) {
      const { code } = await firm.own('/devices/pairings', {})
      const phone = await PairedPhone.pairWith(gateway.url, String(code))
      phone.reportsDelivery = true
      firm.phones.push(phone)
      await firm.own(`/devices/${phone.deviceId}`, { segmentsPerMinute: 6000 }, 'PATCH')
    }
    return firm
  }

  /** Calls the API as the owner does. */
  own(path: string, body?: object, method?: string): Promise<Data> {
    return this.call(`/api/v1${path}`, body, { method, headers: { Authorization: `Bearer ${this.#token}` } })
  }

  /** Calls as a program does: posts the body, or gets. A refusal is a fault. Returns the answer's data. */
  async call(path: string, body?: object, more: { headers?: object; method?: string | undefined } = {}) {
    const { headers = { 'X-API-Key': this.key }, method = body === undefined ? 'GET' : 'POST' } = more
    const response = await fetch(this.#gateway.url + path, {
      method,
      headers: { 'Content-Type': 'application/json', ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (response.status > 202)
      Firm.faults.push(`${this.name}: ${path.slice(0, 40)}: ${response.status} ${text}`)
    return (text.startsWith('{') ? ((JSON.parse(text) as { data?: Data }).data ?? {}) : {}) as Data
  }

  /** Waits for so many texts of this kind. Each number has to get one, and one only. */
  async whenTold(numbers: readonly string[], pattern: RegExp): Promise<void> {
    const found = () => this.phones.flatMap(({ sent }) => sent.filter(one => pattern.test(one.message)))
    await this.until(() => found().length >= numbers.length)
    const told = found().map(one => one.phoneNumber)
    this.checkOnce(`${pattern}`, numbers, told)
  }

  until(holds: () => boolean): Promise<boolean> {
    return this.#gateway.until(async () => holds())
  }

  checkOnce(what: string, wanted: readonly string[], found: readonly unknown[]): void {
    const left = new Set<unknown>(wanted)
    for (const one of found)
      if (!left.delete(one)) Firm.faults.push(`${this.name}, ${what}: ${one} has too many`)
    for (const one of left) Firm.faults.push(`${this.name}, ${what}: ${one} has none`)
    console.log(`${this.name}: ${found.length} of ${wanted.length} ${what}`)
  }
}
