import type { Adapter } from '#domain/forward/forward.ts'

/** A phone of the account texts the person, see `domain/sending/text-forward.ts`. */
export const sms: Adapter = {
  url: 'no',
  target: 'must',
  credential: 'no',
  request: () => ({ via: 'sms' }),
}
