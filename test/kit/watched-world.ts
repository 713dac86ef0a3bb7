/** A gateway that checks its health every few seconds of the manual clock, and texts alarms to its owner. */

import { HEALTH_CHECK_EVERY_MS } from '#app/health/health-watch.ts'
import type { MachineFacts } from '#contracts/health.ts'
import { openWorld, type TestPhone } from '#test/kit/test-phone.ts'

export const OWNER = { phoneNumber: '+14155550123', country: 'US' }
export const HEALTHY_MACHINE: MachineFacts = {
  backup: null,
  cluster: null,
  damage: null,
  certificate: null,
  disk: null,
}

/** A gateway with one connected phone, which sends what it is offered after each check. */
export function watchedWorld({
  recipients = [OWNER],
  phones: count = 1,
}: {
  /** Null: the numbers that the owner has chosen. */
  readonly recipients?: (typeof OWNER)[] | null
  readonly phones?: number
} = {}) {
  const gateway = openWorld(count)
  const { world, accountId, phones } = gateway
  const urls = { url: 'https://receiver.test/', events: ['system.alarm', 'system.recovered'] as const }
  world.ask('notification.set', { accountId, ...urls })
  world.batch.reconfigure({ ...world.settings, alarmRecipients: recipients })
  let machine = HEALTHY_MACHINE
  /** Advances the clock, with a check after each step. */
  const passTime = (ms: number, step = HEALTH_CHECK_EVERY_MS) => {
    for (let left = ms; left > 0; left -= step) {
      world.advance(Math.min(left, step))
      world.ask('health.check', machine)
      sendOffered(phone)
    }
  }
  /** Sets the facts for the next check. All others are those of a healthy machine. */
  const setMachine = (facts: Partial<MachineFacts>) => {
    machine = { ...HEALTHY_MACHINE, ...facts }
  }
  const all = (sql: string) => world.database.prepare(sql).all()
  const phone = phones[0] as TestPhone
  phone.connect()
  return {
    ...gateway,
    phone,
    passTime,
    setMachine,
    /** Makes nightly backups fail or succeed, and checks the health at once. */
    failBackups(isFailing: boolean) {
      setMachine(isFailing ? { backup: { failedSince: world.wallMs, cause: 'no room' } } : {})
      passTime(HEALTH_CHECK_EVERY_MS)
    },
    restart() {
      world.restart()
      world.batch.reconfigure({ ...world.settings, alarmRecipients: recipients })
    },
    texts: () => all('SELECT text FROM message ORDER BY serial').map(row => String(row['text'])),
    events: () =>
      all('SELECT body FROM notification_delivery ORDER BY seq').map(row => {
        const { event, data } = JSON.parse(String(row['body']))
        return `${event} ${data.code}`
      }),
  }
}

/** Lets the phone send what it was offered. */
export function sendOffered(phone: TestPhone): void {
  for (const id of phone.offered()) {
    phone.begin(id)
    phone.report(id, 'sent')
  }
}
