/**
 * The commands of Termux:API, and the fields that they print.
 * @see https://github.com/termux/termux-api SmsInboxAPI, BatteryStatusAPI, TelephonyAPI
 */
import * as v from 'valibot'
import type { Clock } from '#agent/clock.ts'
import { type CommandEnd, runProcess } from '#agent/drivers/run-process.ts'
import { AGENT_CHECK_MS_MAX, NAME_LENGTH_MAX } from '#contracts/bounds.ts'
import { cleanWords } from '#contracts/clean-words.ts'

const textOrNull = v.nullish(v.string(), null)
const numberOrNull = v.nullish(v.number(), null)

const SmsList = v.array(
  v.object({
    _id: v.number(),
    /** `inbox`, `sent`, `draft`, `failed` or `outbox`. Empty: the text waits for the radio. */
    type: v.fallback(v.string(), ''),
    address: textOrNull,
    /** The name of `address` in older versions. */
    number: textOrNull,
    /** Local time without a zone: `2026-01-31 18:05:59`. */
    received: v.fallback(v.string(), ''),
    body: textOrNull,
  }),
)
export type PhoneSms = v.InferOutput<typeof SmsList>[number]

const Battery = v.object({ percentage: numberOrNull, status: textOrNull })
const DeviceInfo = v.object({
  sim_operator_name: textOrNull,
  sim_country_iso: textOrNull,
  sim_state: textOrNull,
})
const CellInfo = v.array(v.object({ registered: v.fallback(v.boolean(), false), dbm: numberOrNull }))

export class TermuxApi {
  readonly #clock: Clock
  readonly #env: NodeJS.ProcessEnv

  constructor(clock: Clock, env: NodeJS.ProcessEnv) {
    this.#clock = clock
    this.#env = env
  }

  /**
   * Passes the text on standard input, because `termux-sms-send` passes its arguments to `echo`, which
   * changes some texts.
   */
  sendSms(
    sms: { readonly args: readonly string[]; readonly text: string },
    signal: AbortSignal,
    began: ((command: string) => void) | undefined,
  ): Promise<CommandEnd> {
    const { args, text: input } = sms
    const command = { file: 'termux-sms-send', args, env: this.#env, input, withOutput: true, began }
    return runProcess(this.#clock, command, signal)
  }

  /** The newest texts. Null if the list cannot be read, for example without the permission. */
  listSms(type: 'all' | 'sent' | 'inbox', limit: number): Promise<PhoneSms[] | null> {
    return this.#read('termux-sms-list', SmsList, ['-t', type, '-l', String(limit)])
  }

  battery(): Promise<v.InferOutput<typeof Battery> | null> {
    return this.#read('termux-battery-status', Battery)
  }

  deviceInfo(): Promise<v.InferOutput<typeof DeviceInfo> | null> {
    return this.#read('termux-telephony-deviceinfo', DeviceInfo)
  }

  cellInfo(): Promise<v.InferOutput<typeof CellInfo> | null> {
    return this.#read('termux-telephony-cellinfo', CellInfo)
  }

  /** Maker and model, such as `Fairphone FP4`. Null: Android does not tell. */
  async phoneName(): Promise<string | null> {
    const words: string[] = []
    for (const property of ['ro.product.manufacturer', 'ro.product.model']) {
      const command = { file: 'getprop', args: [property], env: this.#env, timeoutMs: AGENT_CHECK_MS_MAX }
      const end = await runProcess(this.#clock, { ...command, withOutput: true })
      words.push(end.kind === 'exit' && end.exitCode === 0 ? cleanWords(end.output, NAME_LENGTH_MAX) : '')
    }
    const [maker = '', model = ''] = words
    if (model === '') return null
    const hasMaker = maker === '' || model.toLowerCase().startsWith(maker.toLowerCase())
    return cleanWords(hasMaker ? model : `${maker} ${model}`, NAME_LENGTH_MAX)
  }

  async #read<T>(file: string, schema: v.GenericSchema<unknown, T>, args: string[] = []): Promise<T | null> {
    const end = await runProcess(this.#clock, { file, args, env: this.#env, withOutput: true })
    if (end.kind !== 'exit' || end.exitCode !== 0) return null
    try {
      return v.parse(schema, JSON.parse(end.output))
    } catch {
      return null
    }
  }
}
