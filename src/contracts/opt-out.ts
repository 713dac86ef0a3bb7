/** The numbers that want no more texts of an account. */
import * as v from 'valibot'
import { PhoneNumberInput, SendRequest } from '#contracts/message.ts'
import { noted } from '#contracts/noted.ts'
import { Instant, SentNumber } from '#contracts/primitives.ts'

const phoneNumber = noted(SentNumber, 'E.164: + and 2 to 15 digits; of a short code its digits.')

export const OptOutResource = v.object({
  phoneNumber,
  since: noted(Instant, 'When it was put on the list.'),
  by: noted(
    v.picklist(['text', 'owner']),
    'text: a text from the number said so. owner: a person or a program of the account did.',
  ),
})
export type OptOutResource = v.InferOutput<typeof OptOutResource>

export const CreateOptOutRequest = v.object({
  phoneNumber: noted(PhoneNumberInput, 'The number with + and the country code (E.164).'),
  skipPhoneValidation: SendRequest.entries.skipPhoneValidation,
})

export const RemovedOptOut = v.object({ phoneNumber })
export type RemovedOptOut = v.InferOutput<typeof RemovedOptOut>

export interface OptOutReference {
  readonly accountId: string
  /** Whether it is about the list of the sandbox. */
  readonly test: boolean
  readonly phoneNumber: string
}

export interface OptOutCommands {
  'opt-out.add': { input: OptOutReference; output: OptOutResource }
  'opt-out.remove': { input: OptOutReference; output: RemovedOptOut }
}
