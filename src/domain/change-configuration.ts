/**
 * What the owner of the gateway chooses at the API: who gets alarms, and the nightly copies. It counts where
 * the configuration file and the environment say nothing.
 */
import { ALARM_RECIPIENTS_MAX } from '#contracts/bounds.ts'
import type { CommandInput, CommandOutput } from '#contracts/commands.ts'
import type { ChosenConfiguration, ConfigurationChange } from '#contracts/configuration.ts'
import type { Recipient } from '#contracts/webhook-commands.ts'
import { machineOwner } from '#domain/account/machine-owner.ts'
import { invalid, Problem } from '#domain/problem.ts'
import type { World } from '#domain/world.ts'

/** Copies need room for themselves beside the database, and for what grows meanwhile. */
const ROOM_FACTOR = 3

export function findConfiguration(world: World): CommandOutput<'configuration.find'> {
  return { owner: machineOwner(world), chosen: world.chosen.read() }
}

/**
 * @throws Problem FORBIDDEN for another account; CONFLICT where the file or the environment decides, too many
 * numbers, or no room for copies; INVALID_REQUEST for an index that no number has
 */
export function changeConfiguration(
  world: World,
  { accountId, change, added, place }: CommandInput<'configuration.change'>,
): ChosenConfiguration {
  if (accountId !== machineOwner(world))
    throw new Problem('FORBIDDEN', 'only the account that set up this gateway may change its configuration')
  refuseFixed(change, world.settings.fixed)
  const before = world.chosen.read()
  const { alarms = {}, backup = {} } = change
  if (backup.enabled === true) refuseWithoutRoom(place)
  const chosen = {
    ...changeRecipients(before, alarms.remove ?? [], added),
    heartbeatUrl: alarms.heartbeatUrl === undefined ? before.heartbeatUrl : alarms.heartbeatUrl,
    backup: { ...before.backup, ...backup },
  }
  world.chosen.save(world.tx, chosen)
  world.effects.push({ kind: 'configuration' })
  return chosen
}

/** Forgets who hears of alarms: the numbers and the address belong to an owner who goes. */
export function forgetAlarms(world: World): void {
  world.chosen.save(world.tx, { ...world.chosen.read(), recipients: [], heartbeatUrl: null })
  world.effects.push({ kind: 'configuration' })
}

function refuseFixed({ alarms = {}, backup = {} }: ConfigurationChange, fixed: readonly string[]): void {
  const named = [
    ...(alarms.add === undefined && alarms.remove === undefined ? [] : ['alarms.recipients']),
    ...(alarms.heartbeatUrl === undefined ? [] : ['alarms.heartbeatUrl']),
    ...Object.keys(backup).map(key => `backup.${key}`),
  ]
  const keys = named.filter(key => fixed.includes(key)).join(', ')
  if (keys !== '')
    throw new Problem(
      'CONFLICT',
      `the configuration file or the environment decides ${keys}: change it there`,
    )
}

function refuseWithoutRoom(place: CommandInput<'configuration.change'>['place']): void {
  const { dir, freeBytes, databaseBytes } = place
  if (freeBytes >= ROOM_FACTOR * databaseBytes) return
  const [free, needed] = [freeBytes, ROOM_FACTOR * databaseBytes].map(bytes => Math.ceil(bytes / 1e6))
  throw new Problem(
    'CONFLICT',
    `copies need ${needed} MB, and ${dir} has ${free} MB: make room, then try again`,
  )
}

function changeRecipients(
  { recipients: before, nextIndex }: ChosenConfiguration,
  removed: readonly number[],
  added: readonly Recipient[],
): Pick<ChosenConfiguration, 'recipients' | 'nextIndex'> {
  const issues = removed.flatMap((index, at) => {
    if (before.some(one => one.index === index)) return []
    return [{ path: `alarms.remove.${at}`, message: 'no number has this index: read the list again' }]
  })
  if (issues.length > 0) throw invalid(issues)
  const recipients = before.filter(({ index }) => !removed.includes(index))
  let next = nextIndex
  for (const { phoneNumber, country } of added)
    if (!recipients.some(one => one.phoneNumber === phoneNumber))
      recipients.push({ index: next++, phoneNumber, country })
  if (recipients.length > ALARM_RECIPIENTS_MAX)
    throw new Problem('CONFLICT', `alarms go to at most ${ALARM_RECIPIENTS_MAX} numbers: remove one first`)
  return { recipients, nextIndex: next }
}
