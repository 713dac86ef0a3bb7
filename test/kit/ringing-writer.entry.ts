/** A writer thread that rings when a phone gets the name `ring ID SECONDS`, and stops at `stop ID`. */
import { onThreadData } from '#app/threads/on-thread-data.ts'
import { runWriter } from '#app/threads/writer.ts'
import { COMMANDS } from '#domain/command-table.ts'
import { ringPhone, stopRing } from '#domain/ringing/ring-phone.ts'

const update = COMMANDS['device.update']
const rename: typeof update = (world, input) => {
  const [verb, ringId = '', seconds] = input.change.name?.split(' ') ?? []
  const { accountId } = input
  if (verb === 'ring')
    ringPhone(world, { ringId, accountId, phoneNumber: '+14155550123', seconds: Number(seconds) })
  if (verb === 'stop') stopRing(world, ringId)
  return update(world, input)
}
Object.assign(COMMANDS, { 'device.update': rename })
onThreadData(runWriter)
