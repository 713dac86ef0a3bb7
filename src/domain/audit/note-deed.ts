import type { CommandCall, CommandName } from '#contracts/commands.ts'
import { Problem } from '#domain/problem.ts'
import type { World } from '#domain/world.ts'

/** Commands that only look, that a program repeats all the time, or that leave no account to tell. */
export const UNTOLD: ReadonlySet<CommandName> = new Set<CommandName>([
  'account.find',
  'account.list',
  'account.remove',
  'configuration.find',
  'device.check-room',
  'device.find',
  'device.list',
  'device-group.find',
  'device-group.list',
  'drill.list',
  'health.list',
  'key.list',
  'machine.describe',
  'message.forecast',
  'notification.find',
  'two-factor.compare-try',
  'two-factor.count-try',
  'user.list',
])

/** What a key sends is not told: those are thousands of messages, which the list of messages has. */
const SENDS: ReadonlySet<CommandName> = new Set<CommandName>(['message.accept', 'two-factor.issue'])

/** Fields that name what a command was about, the first that is there. */
const IDS = ['id', 'messageId', 'webhookId', 'deviceId', 'incidentId', 'policyId', 'userId', 'accountId']

/**
 * Refuses a command of a user who was removed or disabled after the call was admitted, so that nothing of
 * that user happens any more once this was answered.
 *
 * @throws Problem UNAUTHORIZED
 */
export function refuseEnded({ users }: Pick<World, 'users'>, by: string): void {
  if (by.startsWith('usr_') && users.findUser(by)?.disabled !== false)
    throw new Problem('UNAUTHORIZED', 'this login has ended')
}

/**
 * Writes down who did it, in the transaction of the change: ids only. A command that is about no account,
 * such as a test of the alarms, is in nobody's list.
 */
export function noteDeed(world: World, { name, input, by }: CommandCall, output: unknown): void {
  if (by === undefined || UNTOLD.has(name) || isRepeated(output)) return
  if (SENDS.has(name) && by.startsWith('key_')) return
  const places = [recordOf(output), output, keptAnswer(output), input].filter(isObject)
  const accountId = textIn(places, ['accountId']) ?? world.users.findUser(by)?.accountId
  if (accountId === undefined) return
  const which = name === 'audit.note' ? null : textIn(places, IDS)
  const what = name === 'audit.note' ? (textIn(places, ['what']) ?? name) : name
  world.audit.noteDeed(world.tx, { accountId, at: world.now.wallMs, who: by, what, which })
}

type Fields = Readonly<Record<string, unknown>>

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null
}

/** What was made, where the answer also has a secret beside it. */
function recordOf(output: unknown): unknown {
  return isObject(output) ? (output['record'] ?? output['user']) : null
}

/** The answer to a send, which is stored as JSON. */
function keptAnswer(output: unknown): unknown {
  const answer = isObject(output) ? output['answer'] : null
  return typeof answer === 'string' ? JSON.parse(answer) : answer
}

/** Whether the answer of an earlier call was given again. */
function isRepeated(output: unknown): boolean {
  return isObject(output) && output['replayed'] === true
}

function textIn(places: readonly Fields[], names: readonly string[]): string | null {
  for (const place of places)
    for (const name of names) {
      const value = place[name]
      if (typeof value === 'string') return value
    }
  return null
}
