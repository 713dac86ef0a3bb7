/**
 * The fake local server of SMSGate in a process of its own. It prints each step of a text, loses requests and
 * answers, and kills itself (SIGKILL) at the step that the test names.
 */
import { writeSync } from 'node:fs'
import { Random } from '#test/kit/random.ts'
import { type Fate, SmsgatePhone } from '#test/kit/smsgate-phone.ts'

export interface PhoneInput {
  readonly file: string
  readonly transmittedFile: string
  readonly port: number
  readonly seed: number
  /** Dies the n-th time that a text reaches this step; null: never. */
  readonly dieAt: { readonly step: string; readonly times: number } | null
  /** Whether requests and answers get lost, and texts fail. */
  readonly isUnreliable: boolean
}

import { sized } from '#test/kit/test-size.ts'

const { file, transmittedFile, port, seed, dieAt, isUnreliable } = JSON.parse(
  process.argv[2] ?? '',
) as PhoneInput
const dice = new Random(seed)
const losesChecks = sized(0, 1) === 1
const print = (line: string) => writeSync(1, `${line}\n`)

void SmsgatePhone.start({ file, transmittedFile, port, phoneId: 'kill-smsgate' }).then(phone => {
  if (isUnreliable) makeUnreliable(phone)
  let left = dieAt?.times ?? 0
  phone.onStep = step => {
    print(step)
    if (step === dieAt?.step && --left === 0) process.kill(process.pid, 'SIGKILL')
  }
  print(`listening ${phone.port}`)
})

function makeUnreliable(phone: SmsgatePhone): void {
  phone.fate = (asked): Fate => {
    // A lost check of the phone costs ten seconds and risks no text, so only the long size loses them.
    if (!losesChecks && !asked.includes('/message')) return 'answer'
    if (dice.chance(1 / 20)) return 'cut-before'
    if (dice.chance(1 / 20)) return 'cut-after'
    return dice.chance(1 / 40) ? 'fail' : 'answer'
  }
  phone.radio = async () => (dice.chance(1 / 60) ? 'Send result: RESULT_ERROR_NO_SERVICE (no service)' : null)
}
