import type { Bench } from 'tinybench'
import { entryFile } from '#app/threads/entries.ts'
import type { UnsignedNotification } from '#contracts/pool-tasks.ts'
import { PoolHost } from '#pool/pool-host.ts'
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

/**
 * Measures how long signing takes on the calling thread and on the pool, for several sizes of the batch. Each
 * notification gets both signatures; the bodies are typical ones.
 */
export function addTo(bench: Bench): void {
  const faulted = (_: unknown, error: unknown) => {
    throw error
  }
  const pool = new PoolHost({ file: entryFile('pool'), threads: 1, faulted })
  bench.addEventListener('complete', () => void pool.close())
  for (const size of BATCH_SIZES) {
    const batch = Array.from({ length: size }, (_, index) => unsigned(index))
    bench.add(`notifications: sign ${size} without the pool`, () => {
      signNotifications(batch)
    })
    bench.add(`notifications: sign ${size} on the pool`, async () => {
      await pool.run('sign-notifications', batch)
    })
  }
}
