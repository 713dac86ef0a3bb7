import type { Bench } from 'tinybench'
import { Pacing } from '#domain/device/pacing.ts'
import { Phone } from '#domain/device/phone.ts'
import { PhoneRanking } from '#domain/device/phone-ranking.ts'
import { storedDevice } from '#test/kit/stored-device.ts'

/** Chooses a phone and notes that this phone was used, as the gateway does for each message. */
export function addTo(bench: Bench): void {
  for (const count of [10, 10_000]) {
    const ranking = new PhoneRanking()
    for (let i = 0; i < count; i++) {
      const phone = new Phone(storedDevice({ id: `dev_${i}` }), new Pacing(20, 10, 0), 0)
      phone.session = { id: 'ses_1', connections: [], synced: true, since: 0 }
      ranking.add(phone)
    }
    let monoMs = 0
    bench.add(`choosePhone, ${count} idle phones`, () => {
      monoMs += 1
      const phone = ranking.choose({ country: 'US', monoMs, offlineAfterMs: 45_000 })
      if (phone !== null) phone.usedAtMono = monoMs
    })
  }
}
