import type { Bench } from 'tinybench'
import type { UnsignedNotification } from '#contracts/pool-tasks.ts'
import { signNotifications } from '#pool/tasks/sign-notifications.ts'

const BATCH_SIZES = [1, 2, 4, 8, 16, 32, 64, 128, 256]

const BODY = JSON.stringify({
  event: 'sms.delivered',
  timestamp: '2026-01-02T03:04:05.006Z',
  data: { messageId: 'msg_01JGFJJZ0ZABCDEFGHJKMNPQRS', phoneNumber: '+15550100001', status: 'delivered' },
})

function unsigned(index: number): UnsignedNotification {
  const secret = `whsec_${Buffer.alloc(32, index).toString('base64')}`
  return { id: `ntf_${index}`, timestampS: 1_767_323_045, body: BODY, secret }
}

/** What signing costs in line, by size of the batch: both signatures of each notification, typical bodies. */
export function addTo(bench: Bench): void {
  for (const size of BATCH_SIZES) {
    const batch = Array.from({ length: size }, (_, index) => unsigned(index))
    bench.add(`notifications: sign ${size} in line`, () => {
      signNotifications(batch)
    })
  }
}
