/**
 * The commands that the command line may send to a running gateway, with their schemas. The command line can
 * be older or newer than the gateway.
 */
import * as v from 'valibot'
import { EmailInput } from '#contracts/account.ts'
import { ReadingShape, SettledRoles } from '#contracts/alert-reading.ts'
import { RECIPIENTS_MAX } from '#contracts/bounds.ts'
import type { CommandInput, CommandName } from '#contracts/commands.ts'
import { DeviceChange } from '#contracts/device.ts'
import { CreateDeviceGroupRequest } from '#contracts/device-group.ts'
import { CreateGroupRequest, WebhookPeople } from '#contracts/group.ts'
import { NewMessage } from '#contracts/message.ts'
import { ON_CALL_KINDS } from '#contracts/on-call.ts'
import { E164, Name, SentNumber } from '#contracts/primitives.ts'
import { InviteUserRequest, UpdateUserRequest } from '#contracts/user.ts'

const id = v.pipe(v.string(), v.minLength(1), v.maxLength(64))
const planName = v.pipe(v.string(), v.minLength(1), v.maxLength(32))
const passwordHash = v.pipe(v.string(), v.startsWith('$scrypt$'), v.maxLength(256))
const nothing = v.object({})

const recipient = v.object({ phoneNumber: E164, country: v.nullable(v.string()) })
const idOrNull = v.nullable(id)
const optOut = v.object({ accountId: id, test: v.literal(false), phoneNumber: SentNumber })

export const CONTROL_COMMANDS = {
  // An older command line does not send the newest fields: those have defaults.
  'message.accept': v.object({
    ...NewMessage.entries,
    test: v.literal(false),
    kind: v.literal('sms'),
    ttlMs: v.null(),
    sendAt: v.null(),
    simSlot: v.null(),
    notificationUrl: v.null(),
    webhookId: v.optional(v.null(), null),
    guess: v.optional(v.literal(false), false),
    despiteOptOut: v.optional(v.literal(false), false),
    idempotency: v.null(),
  }),
  'message.cancel': v.object({ accountId: id, test: v.boolean(), messageId: id }),
  'webhook.create': v.object({
    accountId: id,
    fields: v.object({
      name: Name,
      recipients: v.pipe(v.array(recipient), v.maxLength(RECIPIENTS_MAX)),
      people: v.optional(WebhookPeople, []),
      maxPerHour: v.number(),
      messageTemplate: v.null(),
      allowedIps: v.array(v.string()),
      deviceId: idOrNull,
      enabled: v.boolean(),
      minSeverity: v.null(),
      sendRecovered: v.boolean(),
      summarizeOverflow: v.boolean(),
      keepLastBody: v.boolean(),
      gather: v.boolean(),
      silentAfterMinutes: v.nullable(v.number()),
      // An older command line sends neither this nor `people`.
      policyId: v.optional(idOrNull, null),
    }),
  }),
  'webhook.rotate': v.object({ accountId: id, webhookId: id }),
  'webhook.remove': v.object({ accountId: id, webhookId: id }),
  'webhook.settle': v.object({ accountId: id, webhookId: id, shape: ReadingShape, roles: SettledRoles }),
  'webhook.forget': v.object({ accountId: id, webhookId: id, shape: id }),
  'incident.take': v.object({
    accountId: id,
    incidentId: id,
    personId: idOrNull,
    minutes: v.nullable(v.number()),
  }),
  'incident.close': v.object({ accountId: id, incidentId: id }),
  'webhook.update': v.object({ accountId: id, webhookId: id, change: v.object({ policyId: idOrNull }) }),
  'person.create': v.object({
    accountId: id,
    fields: v.object({
      name: Name,
      ...recipient.entries,
      timeZone: v.null(),
      quiet: v.null(),
    }),
  }),
  'group.create': v.object({ accountId: id, fields: CreateGroupRequest }),
  'on-call.remove': v.object({ accountId: id, id, kind: v.picklist(ON_CALL_KINDS) }),
  'forward.test': v.object({ accountId: id, id }),
  'opt-out.add': optOut,
  'opt-out.remove': optOut,
  'setup.create-token': nothing,
  'account.create': v.object({
    email: EmailInput,
    plan: v.nullable(planName),
    passwordHash: v.nullable(passwordHash),
  }),
  'account.find': v.object({ email: EmailInput }),
  'account.list': nothing,
  'machine.describe': nothing,
  'account.set-plan': v.object({ email: EmailInput, plan: planName }),
  'account.set-password': v.object({ email: EmailInput, passwordHash }),
  'account.remove': v.object({ email: EmailInput }),
  'account.erase': nothing,
  'user.invite': v.object({ accountId: id, ...InviteUserRequest.entries }),
  'user.update': v.object({ accountId: id, userId: id, change: UpdateUserRequest }),
  'user.remove': v.object({ accountId: id, userId: id }),
  'audit.note': v.object({ accountId: id, what: v.literal('token.create') }),
  'user.list': v.object({ accountId: id }),
  'key.create': v.object({
    email: EmailInput,
    name: Name,
    test: v.boolean(),
    cleanText: v.optional(v.boolean(), false),
  }),
  'key.list': v.object({ email: v.nullable(EmailInput) }),
  'key.revoke': v.object({ id, accountId: v.nullable(id) }),
  'device.create-pairing': v.object({ accountId: id, name: v.nullable(Name) }),
  'device.check-room': v.object({ accountId: id }),
  'device.add': v.object({
    accountId: id,
    name: Name,
    protocol: v.picklist(['smsgate', 'modem']),
    appVersion: v.nullable(v.pipe(v.string(), v.maxLength(64))),
    sims: v.array(
      v.object({
        slot: v.number(),
        carrier: v.nullable(v.string()),
        countryCode: v.nullable(v.string()),
        phoneNumber: v.nullable(v.string()),
      }),
    ),
  }),
  'device-group.list': v.object({ accountId: id }),
  'device-group.create': v.object({ accountId: id, fields: CreateDeviceGroupRequest }),
  'device-group.remove': v.object({ accountId: id, groupId: id }),
  'device.list': v.object({ accountId: v.nullable(id) }),
  'device.find': v.object({ accountId: id, deviceId: id }),
  'device.update': v.object({ accountId: id, deviceId: id, change: DeviceChange }),
  'device.remove': v.object({ accountId: id, deviceId: id }),
  'drill.start': v.object({ accountId: id, deviceId: id }),
  'drill.list': v.object({ accountId: id, deviceId: id }),
  'gateway.state': nothing,
  'alarm.test': nothing,
  'clock.confirm': nothing,
  'health.list': v.object({ accountId: v.nullable(id) }),
} satisfies { [N in CommandName]?: v.GenericSchema<unknown, CommandInput<N>> }

export type ControlCommandName = keyof typeof CONTROL_COMMANDS

export function isControlCommand(name: unknown): name is ControlCommandName {
  return typeof name === 'string' && Object.hasOwn(CONTROL_COMMANDS, name)
}
