/**
 * What the command line may ask a running gateway, and what a question must look like: the program that asks
 * can be older or newer than the gateway that answers.
 */
import * as v from 'valibot'
import { EmailInput } from '#contracts/account.ts'
import type { CommandInput, CommandName } from '#contracts/commands.ts'
import { UpdateDeviceRequest } from '#contracts/device.ts'
import { Name } from '#contracts/primitives.ts'

const id = v.pipe(v.string(), v.minLength(1), v.maxLength(64))
const planName = v.pipe(v.string(), v.minLength(1), v.maxLength(32))
const passwordHash = v.pipe(v.string(), v.startsWith('$scrypt$'), v.maxLength(256))
const nothing = v.object({})

export const CONTROL_COMMANDS = {
  'account.create': v.object({
    email: EmailInput,
    plan: planName,
    passwordHash: v.nullable(passwordHash),
  }),
  'account.find': v.object({ email: EmailInput }),
  'account.list': nothing,
  'account.set-plan': v.object({ email: EmailInput, plan: planName }),
  'account.set-password': v.object({ email: EmailInput, passwordHash }),
  'key.create': v.object({ email: EmailInput, name: Name, test: v.boolean() }),
  'key.list': v.object({ email: v.nullable(EmailInput) }),
  'key.revoke': v.object({ id, accountId: v.nullable(id) }),
  'device.create-pairing': v.object({ accountId: id, name: v.nullable(Name) }),
  'device.list': v.object({ accountId: v.nullable(id) }),
  'device.find': v.object({ accountId: id, deviceId: id }),
  'device.update': v.object({ accountId: id, deviceId: id, change: UpdateDeviceRequest }),
  'device.remove': v.object({ accountId: id, deviceId: id }),
  'gateway.state': nothing,
} satisfies { [N in CommandName]?: v.GenericSchema<unknown, CommandInput<N>> }

export type ControlCommandName = keyof typeof CONTROL_COMMANDS

export function isControlCommand(name: unknown): name is ControlCommandName {
  return typeof name === 'string' && Object.hasOwn(CONTROL_COMMANDS, name)
}
