import type { Bench } from 'tinybench'
import { Pacing } from '#domain/device/pacing.ts'
import { Phone } from '#domain/device/phone.ts'
import { Fleet } from '#domain/fleet.ts'
import { storedDevice } from '#test/kit/stored-device.ts'

/** Chooses a phone and notes that this phone was used, as the gateway does for each message. */
export function addTo(bench: Bench): void {
  for (const count of [3, 30, 300, 3_000]) {
    const fleet = new Fleet()
    for (let i = 0; i < count; i++) {
      const device = storedDevice({ id: `dev_${i}`, announcedOnline: true })
      const phone = new Phone(device, new Pacing(20, 10, 0), 0)
      phone.session = { id: 'ses_1', connections: [], synced: true, since: 0 }
      fleet.add(phone)
    }
    const { accountId } = storedDevice()
    let monoMs = 0
    bench.add(`choosePhone, ${count} idle phones`, () => {
      monoMs += 1
      const phone = fleet.choose(accountId, { country: 'US', monoMs, offlineAfterMs: 45_000 })
      if (phone !== null) phone.usedAtMono = monoMs
    })
  }
}
