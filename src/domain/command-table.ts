/** Every command of the writer and the use case that carries it out. */
import type { CommandInput, CommandName, CommandOutput } from '#contracts/commands.ts'
import { firstStart } from '#domain/account/first-start.ts'
import { describeMachine } from '#domain/account/machine-owner.ts'
import {
  createAccount,
  describeAccount,
  findAccount,
  revokeToken,
  setPassword,
  setPlan,
} from '#domain/account/manage-account.ts'
import { createKey, createOwnKey, listKeys, noteKeyUse, revokeKey } from '#domain/account/manage-key.ts'
import { endTokenFamily, openTokenChain, renewTokenChain } from '#domain/account/manage-key-token.ts'
import { addSession, changeAccount, endSession, touchSession } from '#domain/account/manage-session.ts'
import {
  describeUser,
  inviteUser,
  removeUser,
  takeInvitation,
  updateUser,
} from '#domain/account/manage-user.ts'
import { completeSetup, createSetupToken } from '#domain/account/owner-setup.ts'
import { testAlarm } from '#domain/alarm/test-alarm.ts'
import { changeConfiguration, findConfiguration } from '#domain/change-configuration.ts'
import { confirmClock } from '#domain/clock/keep-clock.ts'
import { addDevice, checkDeviceLimit } from '#domain/device/add-device.ts'
import { describeDevice, detailDevice } from '#domain/device/describe-device.ts'
import { checkPairing, createPairing, pairDevice } from '#domain/device/pair-device.ts'
import { checkHealth, listProblems } from '#domain/health/check-health.ts'
import { describeMessage } from '#domain/message/describe-message.ts'
import { exchangeDeliveries } from '#domain/notification/exchange-deliveries.ts'
import {
  createForward,
  removeForward,
  testForward,
  updateForward,
} from '#domain/notification/manage-forward.ts'
import { replayDelivery, replayFailed, testNotification } from '#domain/notification/replay-delivery.ts'
import {
  deleteNotification,
  findNotification,
  rotateNotification,
  setNotification,
} from '#domain/notification/set-notification.ts'
import { createGroup, updateGroup } from '#domain/on-call/manage-group.ts'
import { createPerson, updatePerson } from '#domain/on-call/manage-person.ts'
import { createPolicy, updatePolicy } from '#domain/on-call/manage-policy.ts'
import { addOverride, createRota, endOverride, updateRota } from '#domain/on-call/manage-rota.ts'
import { removeOnCall } from '#domain/on-call/remove-on-call.ts'
import { diskFull, gatewayStopping } from '#domain/problem.ts'
import { acceptMessage, acceptMessages } from '#domain/sending/accept-message.ts'
import { cancelMessage } from '#domain/sending/cancel-message.ts'
import { referencedPhone, removeDevice, updateDevice } from '#domain/sending/change-device.ts'
import { changeWebhook, removeWebhook } from '#domain/sending/change-webhook.ts'
import { closeListener, closePhoneSession } from '#domain/sending/close-phone-session.ts'
import { forecastMessage } from '#domain/sending/forecast-message.ts'
import { handOver } from '#domain/sending/hand-over.ts'
import { issueCode } from '#domain/sending/issue-code.ts'
import {
  createDeviceGroup,
  findDeviceGroup,
  listDeviceGroups,
  removeDeviceGroup,
  updateDeviceGroup,
} from '#domain/sending/manage-device-group.ts'
import { alertPolicy, obeyOwner, rehearsePolicy } from '#domain/sending/manage-incident.ts'
import { addOptOut, removeOptOut } from '#domain/sending/manage-opt-out.ts'
import { listDrills, startDrill } from '#domain/sending/plan-drills.ts'
import { quarantine } from '#domain/sending/quarantine.ts'
import { hearPhones, receiveNews } from '#domain/sending/receive-news.ts'
import { noteRefusal } from '#domain/sending/refuse-connection.ts'
import { eraseRemoved, removeAccount } from '#domain/sending/remove-account.ts'
import { renewPhone } from '#domain/sending/renew-phone.ts'
import { noteAccess } from '#domain/sending/set-trouble.ts'
import { textForward } from '#domain/sending/text-forward.ts'
import { noteTriggers, testWebhook, triggerWebhook } from '#domain/sending/trigger-webhook.ts'
import { instant } from '#domain/time.ts'
import { compareTry, countTry } from '#domain/two-factor/verify-code.ts'
import { createWebhook, rotateWebhook } from '#domain/webhook/manage-webhook.ts'
import { forgetReading, settleReading } from '#domain/webhook/settle-reading.ts'
import type { World } from '#domain/world.ts'

type CommandTable = {
  readonly [N in CommandName]: (world: World, input: CommandInput<N>) => CommandOutput<N>
}

export const COMMANDS: CommandTable = {
  'message.accept': acceptMessage,
  'message.accept-all': acceptMessages,
  'message.cancel': (world, input) =>
    describeMessage(cancelMessage(world, input), id => world.fleet.phones.get(id)?.isPretend === true),
  'message.forecast': forecastMessage,
  'two-factor.issue': issueCode,
  'two-factor.count-try': countTry,
  'two-factor.compare-try': compareTry,
  'device.list': (world, input) => {
    const { fleet } = world
    const phones = input.accountId === null ? fleet.phones.values() : fleet.phonesOf(input.accountId)
    return [...phones].map(phone => describeDevice(world, phone))
  },
  'device.find': (world, input) => detailDevice(world, referencedPhone(world, input)),
  'device.update': updateDevice,
  'device.check-room': (world, { accountId }) => {
    checkDeviceLimit(world, accountId)
    return null
  },
  'device.add': addDevice,
  'device.remove': removeDevice,
  'drill.start': startDrill,
  'drill.list': listDrills,
  'device-group.list': listDeviceGroups,
  'device-group.find': findDeviceGroup,
  'device-group.create': createDeviceGroup,
  'device-group.update': updateDeviceGroup,
  'device-group.remove': removeDeviceGroup,
  'device.create-pairing': createPairing,
  'device.check-pairing': checkPairing,
  'device.pair': pairDevice,
  'phone.news': (world, input) => {
    receiveNews(world, input)
    return null
  },
  'phone.fetch': handOver,
  'phone.renew': renewPhone,
  'phone.note-access': (world, { deviceId, lacks }) => {
    const phone = world.fleet.phones.get(deviceId)
    if (phone !== undefined) noteAccess(world, phone, lacks)
    return null
  },
  'phone.closed': (world, input) => {
    closePhoneSession(world, input)
    const phone = world.fleet.phones.get(input.deviceId)
    if (input.refusal !== undefined && phone !== undefined) noteRefusal(world, phone, input.refusal)
    return null
  },
  'phone.heard': (world, input) => {
    hearPhones(world, input.deviceIds)
    return null
  },
  'listener.gone': (world, input) => {
    closeListener(world, input.listener)
    world.watched.drop(input.listener)
    return null
  },
  // Only memory changes.
  'live.join': ({ watched }, watcher) => {
    watched.join(watcher)
    return null
  },
  'live.leave': ({ watched }, watcher) => {
    watched.leave(watcher)
    return null
  },
  'account.create': createAccount,
  'account.find': findAccount,
  'machine.describe': describeMachine,
  'account.list': world => world.accounts.list(world.tx).map(describeAccount),
  'account.set-plan': setPlan,
  'account.set-password': setPassword,
  'account.remove': removeAccount,
  'account.erase': eraseRemoved,
  'key.create': createKey,
  'key.list': listKeys,
  'key.revoke': revokeKey,
  'key.create-own': createOwnKey,
  'key.note-use': noteKeyUse,
  'key-token.open': openTokenChain,
  'key-token.renew': renewTokenChain,
  'key-token.end': endTokenFamily,
  'session.open': addSession,
  'session.end': endSession,
  'session.touch': touchSession,
  // Its entry is all that it does.
  'audit.note': () => null,
  'account.change': changeAccount,
  'account.revoke-token': revokeToken,
  'user.invite': inviteUser,
  'user.update': updateUser,
  'user.remove': removeUser,
  'user.list': (world, { accountId }) => world.users.usersOf(accountId).map(describeUser),
  'invitation.take': takeInvitation,
  'setup.create-token': createSetupToken,
  'setup.complete': completeSetup,
  'notification.set': setNotification,
  'notification.find': findNotification,
  'notification.delete': deleteNotification,
  'notification.rotate': rotateNotification,
  'notification.test': testNotification,
  'notification.replay': replayDelivery,
  'notification.replay-failed': replayFailed,
  'notification.exchange': exchangeDeliveries,
  'forward.create': createForward,
  'forward.update': updateForward,
  'forward.remove': removeForward,
  'forward.test': testForward,
  'forward.text': textForward,
  'opt-out.add': addOptOut,
  'opt-out.remove': removeOptOut,
  'webhook.create': createWebhook,
  'webhook.update': changeWebhook,
  'webhook.rotate': rotateWebhook,
  'webhook.remove': removeWebhook,
  'webhook.settle': settleReading,
  'webhook.forget': forgetReading,
  'webhook.trigger': triggerWebhook,
  'webhook.test': testWebhook,
  'webhook.note': noteTriggers,
  'incident.take': (world, input) => obeyOwner(world, 'take', input),
  'incident.next': (world, input) => obeyOwner(world, 'next', input),
  'incident.close': (world, input) => obeyOwner(world, 'close', input),
  'policy.rehearse': rehearsePolicy,
  'policy.alert': alertPolicy,
  'person.create': createPerson,
  'person.update': updatePerson,
  'rota.create': createRota,
  'rota.update': updateRota,
  'rota.override': addOverride,
  'rota.end-override': endOverride,
  'group.create': createGroup,
  'group.update': updateGroup,
  'policy.create': createPolicy,
  'policy.update': updatePolicy,
  'on-call.remove': removeOnCall,
  'gateway.first-start': firstStart,
  'gateway.check': world => {
    if (world.stopping) throw gatewayStopping()
    world.accounts.touch(world.tx)
    // This small write may fit where a message does not.
    if (world.health.isDiskFull) throw diskFull()
    return null
  },
  'gateway.quarantine': quarantine,
  'alarm.test': testAlarm,
  'configuration.find': findConfiguration,
  'configuration.change': changeConfiguration,
  'clock.confirm': world => ({ time: instant(confirmClock(world)) }),
  'http.note-forwarded': ({ health }, { value }) => {
    health.unreadForwarded = value
    return null
  },
  'mail.note-refusal': ({ health, now }, { owner }) => {
    health.noteMailRefusal(owner, now.wallMs)
    return null
  },
  'health.list': (world, { accountId }) => listProblems(world, accountId),
  'health.check': (world, machine) => {
    checkHealth(world, machine)
    return { isClockInDoubt: world.clock.isInDoubt }
  },
  'gateway.state': world => {
    let sending = 0
    let devicesOnline = 0
    for (const phone of world.fleet.phones.values()) {
      if (phone.session === null) continue
      if (phone.isReachable) devicesOnline += 1
      for (const flight of phone.flights.values()) if (flight.message.stage === 'sending') sending += 1
    }
    const critical = world.health.critical()?.message ?? null
    const unknownReports = world.health.unknownReports.size
    const { unreadForwarded } = world.health
    const waiting = world.fleet.messages.size
    return { waiting, sending, devicesOnline, critical, unknownReports, unreadForwarded }
  },
}
