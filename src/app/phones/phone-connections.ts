/**
 * Adds phones that the gateway connects to, and changes their addresses and credentials. Tests each phone
 * first.
 */
import { systemClock } from '#agent/clock.ts'
import { examinePhone, type SeenPhone } from '#agent/drivers/smsgate/examine-phone.ts'
import { readPhoneAddress } from '#agent/drivers/smsgate/phone-address.ts'
import { examineRinger } from '#agent/drivers/smsgate/smsgate-driver.ts'
import { neighboursOf } from '#app/config/neighbours.ts'
import { guardedLookup, type PhoneRules, parseAllowedHosts, refusalOfPhone } from '#app/phones/phone-hosts.ts'
import type { DeviceReference, Writer } from '#contracts/commands.ts'
import type { Config } from '#contracts/config.ts'
import type { DeviceDetail, NewPhone, PhoneAccessChange, Ringer } from '#contracts/device.ts'
import type { Issue } from '#contracts/problem.ts'
import { CREDENTIAL_AGAIN, isOtherOrigin } from '#domain/network/same-origin.ts'
import { invalid, limitReached, Problem } from '#domain/problem.ts'
import type { RateLimiter } from '#domain/rate-limit/rate-limiter.ts'
import type { DataDirectory } from '#storage/data-directory.ts'
import {
  phonesWithAccess,
  readPhoneAccess,
  type StoredPhoneAccess,
  savePhoneAccess,
} from '#storage/phone-access-file.ts'

/**
 * Tests without success that an account gets in a minute. Each one tells what is at an address of the owner's
 * network, and a household needs few.
 */
const FAILED_TESTS_PER_MINUTE_MAX = 10

export interface PhoneConnectionPorts {
  readonly writer: Writer
  readonly directory: DataDirectory
  readonly config: Pick<Config, 'devices' | 'cluster' | 'mqtt' | 'mail' | 'smtp'>
  /** Counts the failed tests of an account. Null: they are not counted, for the owner's command line. */
  readonly limiter: RateLimiter | null
  /** In a cluster: resolves once the other members can read new secrets. */
  readonly shareSecrets?: (() => Promise<void>) | undefined
}

export class PhoneConnections {
  readonly #ports: PhoneConnectionPorts
  #config: PhoneConnectionPorts['config']
  /** How many tests of an account run now. */
  readonly #running = new Map<string, number>()

  constructor(ports: PhoneConnectionPorts) {
    this.#ports = ports
    this.#config = ports.config
  }

  reconfigure(config: PhoneConnectionPorts['config']): void {
    this.#config = config
  }

  /**
   * Tests the connection to the phone and makes it a device. The gateway then hosts an agent for it.
   *
   * @throws Problem INVALID_REQUEST when the phone cannot be used, with the reason; CONFLICT when the account
   *   already has it; FORBIDDEN when the plan allows no further phone; RATE_LIMIT_EXCEEDED after many tests
   */
  async add({ accountId, url, username, password, name, ringer, by }: NewPhone): Promise<DeviceDetail> {
    const { writer } = this.#ports
    await writer.ask('device.check-room', { accountId })
    const { access, phone } = await this.#test(accountId, { url, username, password })
    const voice = ringer && { ringer: await this.#testRinger(accountId, ringer) }
    await this.#refuseKnown(accountId, phone.phoneId)
    const about = { name: name ?? phone.name, appVersion: phone.appVersion, sims: phone.sims }
    const { deviceId, token } = await writer.ask(
      'device.add',
      { accountId, protocol: 'smsgate', ...about },
      by,
    )
    try {
      await this.#save(deviceId, { ...access, ...voice, phoneId: phone.phoneId, token })
    } catch (error) {
      // Without the access file the gateway could not connect to the phone.
      await writer.ask('device.remove', { accountId, deviceId })
      throw error
    }
    return writer.ask('device.find', { accountId, deviceId })
  }

  /**
   * Changes a phone's address, user name or password, after a test that the same phone answers with them.
   *
   * @throws Problem NOT_FOUND; INVALID_REQUEST as `add`, or when the gateway does not connect to this device;
   *   CONFLICT when the stored password is lost
   */
  async change(which: DeviceReference, change: PhoneAccessChange): Promise<void> {
    const path = (['url', 'password'] as const).find(field => change[field] !== undefined) ?? 'username'
    const known = await this.#known(which, {
      path,
      message: 'can be changed only for phones of the kind smsgate',
    })
    const isMoved =
      change.url !== undefined && isOtherOrigin(known.url, await this.#allowedUrl(change.url, 'url'))
    // The test would tell it to whatever answers there. The owner's command line finds a phone that moved.
    if (isMoved && change.password === undefined && this.#ports.limiter !== null)
      throw invalid([{ path: 'password', message: CREDENTIAL_AGAIN }])
    const { access, phone } = await this.#test(which.accountId, { ...known, ...definedOf(change) })
    // Texts that wait for this phone must not leave from another SIM.
    if (phone.phoneId !== known.phoneId)
      throw invalid([{ path: 'url', message: anotherPhone(phone.name, access) }])
    await this.#save(which.deviceId, { ...known, ...access })
    await this.#ports.writer.ask('device.update', { ...which, change: {} })
  }

  /**
   * Sets the app that calls people on a phone with SMSGate, after a test. Null: none.
   *
   * @throws Problem NOT_FOUND; INVALID_REQUEST for another kind of device, or when the app cannot be used
   */
  async changeRinger(which: DeviceReference, ringer: Ringer | null): Promise<void> {
    const { ringer: _, ...access } = await this.#known(which, {
      path: 'ringer',
      message: 'can be set only for phones of the kind smsgate',
    })
    if (ringer === null) await this.#save(which.deviceId, access)
    else {
      const tested = await this.#testRinger(which.accountId, ringer)
      await this.#save(which.deviceId, { ...access, ringer: tested })
    }
    await this.#ports.writer.ask('device.update', { ...which, change: {} })
  }

  /** How the gateway connects to the phone. `otherKind`: refuses what it does not connect to. */
  async #known(which: DeviceReference, otherKind: Issue): Promise<StoredPhoneAccess> {
    const { kind } = await this.#ports.writer.ask('device.find', which)
    if (kind !== 'smsgate') throw invalid([otherKind])
    const known = readPhoneAccess(this.#ports.directory, which.deviceId)
    if (known !== null) return known
    throw new Problem('CONFLICT', 'the password of this phone is lost: remove the phone and add it again')
  }

  /** Why the gateway may not connect to this address; null: it may. */
  async refusalOf(written: string): Promise<string | null> {
    return (await this.#readAddress(written)).refusal
  }

  /** No answer may tell of a phone that another member could not go on with. */
  async #save(deviceId: string, access: StoredPhoneAccess): Promise<void> {
    savePhoneAccess(this.#ports.directory, deviceId, access)
    await this.#ports.shareSecrets?.()
  }

  /** @throws Problem INVALID_REQUEST */
  async #allowedUrl(written: string, path: string): Promise<string> {
    const { url, refusal } = await this.#readAddress(written)
    if (refusal !== null) throw invalid([{ path, message: refusal }])
    return url
  }

  async #readAddress(written: string): Promise<{ readonly url: string; readonly refusal: string | null }> {
    const address = readPhoneAddress(written)
    if (address.kind === 'wrong') return { url: '', refusal: address.message }
    const { url } = address
    return { url, refusal: await refusalOfPhone(url, this.#rules) }
  }

  get #rules(): PhoneRules {
    const { allowed_hosts } = this.#config.devices
    return { allowed: parseAllowedHosts(allowed_hosts), neighbours: neighboursOf(this.#config) }
  }

  async #test(
    accountId: string,
    given: { readonly url: string; readonly username: string; readonly password: string },
  ): Promise<{
    readonly access: Pick<NewPhone, 'url' | 'username' | 'password'>
    readonly phone: SeenPhone
  }> {
    const url = await this.#allowedUrl(given.url, 'url')
    const { username, password } = given
    const lookup = guardedLookup(url, this.#rules)
    const examined = await this.#counted(accountId, () =>
      examinePhone(systemClock, { url, username, password, lookup }, null),
    )
    if (examined.kind === 'phone') return { access: { url, username, password }, phone: examined.phone }
    const path = examined.code === 'PHONE_REFUSED' ? 'password' : 'url'
    throw invalid([{ path, message: examined.sentence }])
  }

  /** @throws Problem INVALID_REQUEST, RATE_LIMIT_EXCEEDED */
  async #testRinger(accountId: string, given: Ringer): Promise<Ringer> {
    const ringer = { ...given, url: await this.#allowedUrl(given.url, 'ringer.url') }
    const lookup = guardedLookup(ringer.url, this.#rules)
    const { trouble } = await this.#counted(accountId, async () => {
      const trouble = await examineRinger(systemClock, { ...ringer, lookup })
      return { kind: trouble === null ? 'phone' : 'trouble', trouble }
    })
    if (trouble !== null) throw invalid([{ path: `ringer.${trouble.field}`, message: trouble.sentence }])
    return ringer
  }

  /** @throws Problem RATE_LIMIT_EXCEEDED */
  async #counted<T extends { readonly kind: string }>(accountId: string, test: () => Promise<T>): Promise<T> {
    const { limiter } = this.#ports
    if (limiter === null) return test()
    const bucket = ['account', `phone test ${accountId}`, FAILED_TESTS_PER_MINUTE_MAX] as const
    const decision = limiter.peek(...bucket)
    const running = this.#running.get(accountId) ?? 0
    if (decision.remaining <= running)
      throw limitReached('too many addresses of phones were tested without success: try again in a minute', {
        ...decision,
        retryAfterMs: Math.max(decision.retryAfterMs, 60_000 / FAILED_TESTS_PER_MINUTE_MAX),
      })
    this.#running.set(accountId, running + 1)
    const examined = await test().finally(() => this.#end(accountId))
    if (examined.kind === 'trouble') limiter.take(...bucket)
    return examined
  }

  #end(accountId: string): void {
    const running = (this.#running.get(accountId) ?? 1) - 1
    if (running === 0) this.#running.delete(accountId)
    else this.#running.set(accountId, running)
  }

  /** Refuses a phone that the account already has. Phones of other accounts must not be revealed. */
  async #refuseKnown(accountId: string, phoneId: string): Promise<void> {
    const { writer, directory } = this.#ports
    const devices = await writer.ask('device.list', { accountId })
    for (const deviceId of phonesWithAccess(directory)) {
      const device = devices.find(one => one.deviceId === deviceId)
      if (device === undefined || readPhoneAccess(directory, deviceId)?.phoneId !== phoneId) continue
      throw new Problem('CONFLICT', `this phone was already added, as ${device.name} (${deviceId})`)
    }
  }
}

function definedOf({ url, username, password }: PhoneAccessChange) {
  return {
    ...(url === undefined ? {} : { url }),
    ...(username === undefined ? {} : { username }),
    ...(password === undefined ? {} : { password }),
  }
}

function anotherPhone(name: string, { url }: { readonly url: string }): string {
  const fix = 'add that phone as a device, and remove this device if its own phone is gone'
  return `another phone answers at ${url} (${name}): ${fix}`
}
