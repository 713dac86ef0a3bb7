/** Measures the time from a caller's POST until the phone gets the `offer` frame of that text. */
import { connectPhone } from '#bench/load/connect-phone.ts'
import { startGateway } from '#bench/load/gateway.ts'
import { quantile } from '#bench/load/quantiles.ts'

const MESSAGES = 500

export async function benchOffer(): Promise<void> {
  const gateway = await startGateway({
    ROOST_PLANS__PRO__API_CALLS_PER_MINUTE: '60000',
    ROOST_DEVICES__SEGMENTS_PER_MINUTE: '6000',
    ROOST_DEVICES__SEGMENTS_BURST: '1000',
  })
  const key = await gateway.roost('key', 'create', '--account', 'owner@localhost')
  const phone = await connectPhone(gateway)
  const waits: number[] = []
  for (let i = 0; i < MESSAGES; i++) {
    const offered = phone.nextOffer()
    const before = performance.now()
    const answer = await fetch(`${gateway.url}/api/v1/sms/send`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': key },
      body: JSON.stringify({ phoneNumber: '+14155550123', message: `Message ${i}` }),
    })
    if (answer.status !== 200) throw new Error(`send was answered ${answer.status}`)
    waits.push((await offered) - before)
    await answer.arrayBuffer()
  }
  const at = (share: number) => quantile(waits, share).toFixed(2)
  process.stdout.write(`\nPOST to offer frame, ${MESSAGES} messages one after the other (fsync in between)\n`)
  process.stdout.write(`  p50 ${at(0.5)} ms  p99 ${at(0.99)} ms\n`)
  phone.close()
  await gateway.stop()
}
