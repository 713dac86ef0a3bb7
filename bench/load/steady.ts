/**
 * Measures how long an answer takes at a steady 1,000 sends a second: of a gateway, and of the echo server in
 * the same run. The calls go out at their pace, so that a slow answer counts and delays no other call.
 */
import { startGateway } from '#bench/load/gateway.ts'
import { quantile } from '#bench/load/quantiles.ts'
import { createKeys, SEND_BODY, startCeiling } from '#bench/load/send.ts'
import { startSender } from '#bench/load/send-from-thread.ts'

const PER_SECOND = 1000
const ROUNDS = 4
const SECONDS = 3

export async function benchSteady(): Promise<void> {
  const ceiling = await startCeiling()
  const gateway = await startGateway({ ROOST_PLANS__PRO__API_CALLS_PER_MINUTE: '60000' })
  const [key = ''] = await createKeys(gateway)
  const load = { perSecond: PER_SECOND, key, body: JSON.parse(SEND_BODY) as object }
  const sides = [
    { name: 'ceiling (echo)', sender: await startSender({ ...load, url: ceiling.url.replace(/\/$/, '') }) },
    { name: 'durable send', sender: await startSender({ ...load, url: gateway.url }) },
  ]
  const tookMs = new Map<string, number[]>(sides.map(({ name }) => [name, []]))
  for (let round = 0; round < ROUNDS; round += 1)
    for (const { name, sender } of sides) tookMs.get(name)?.push(...(await sender.send(SECONDS)))
  for (const { sender } of sides) await sender.stop()
  await gateway.stop()
  ceiling.stop()
  process.stdout.write(
    `\nPOST /sms/send at ${PER_SECOND} a second, ${ROUNDS} rounds of ${SECONDS} s; load from here\n`,
  )
  for (const [name, all] of tookMs) {
    const [p50, p99] = [0.5, 0.99].map(share => quantile(all, share).toFixed(2))
    process.stdout.write(`  ${name.padEnd(15)} p50 ${p50} ms  p99 ${p99} ms  of ${all.length}\n`)
  }
}
