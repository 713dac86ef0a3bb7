import { openWorld } from '#test/kit/test-phone.ts'
import { TestWorld } from '#test/kit/world.ts'

export const NUMBER = '+14155550123'
/** The refusal of a send to a number that wants no more texts. */
export const REFUSED = { code: 'FORBIDDEN', details: { reason: 'OPTED_OUT' } }

/** A gateway with a phone, which has texted `NUMBER` once. */
export function startOptOuts(world = new TestWorld()) {
  const it = openWorld(1, world)
  const [phone] = it.phones
  if (phone === undefined) throw new Error('there is no phone')
  phone.connect({ about: { receives: true } })
  const { accountId } = it
  let last = 0
  const says = (message: string, from = NUMBER) => {
    phone.sendFrame({ type: 'received', id: `r${++last}`, from, message, at: null, simSlot: null })
  }
  const which = (phoneNumber = NUMBER, test = false) => ({ accountId, test, phoneNumber })
  const listed = () =>
    world.database
      .prepare('SELECT phone_number FROM opt_out ORDER BY seq')
      .all()
      .map(row => row['phone_number'])
  return {
    ...it,
    phone,
    says,
    listed,
    put: (phoneNumber?: string, test = false) => world.ask('opt-out.add', which(phoneNumber, test)),
    take: (phoneNumber?: string, test = false) => world.ask('opt-out.remove', which(phoneNumber, test)),
    first: it.send(),
  }
}
