/** `node targets.ts COUNT BEHAVIOUR`: starts COUNT receivers of notifications, each on its own port. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  answering,
  type Behaviour,
  flooding,
  hangingAfterHeaders,
  resetting,
  silent,
  trickling,
} from '#test/kit/rogue-receiver.ts'

const BEHAVIOURS: Readonly<Record<string, () => Behaviour>> = {
  answer: () => answering(204),
  hang: () => silent,
  'hang-after-headers': () => hangingAfterHeaders,
  flood: () => flooding(10_485_760),
  trickle: () => trickling(1_000),
  reset: () => resetting,
  error: () => answering(500),
  redirect: () => answering(302, { location: '/hook' }),
}

const [count, name = ''] = process.argv.slice(2)
const behave = BEHAVIOURS[name]?.()
if (behave === undefined) throw new Error(`BEHAVIOUR is one of ${Object.keys(BEHAVIOURS).join(', ')}`)

const ports: number[] = []
for (let i = 0; i < Number(count); i += 1) {
  const server = createServer((request, response) => {
    response.on('error', () => {})
    request.on('error', () => {}).resume()
    request.on('end', () => behave({ method: '', path: '', headers: request.headers, body: '' }, response))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  ports.push((server.address() as AddressInfo).port)
}
process.stdout.write(`${JSON.stringify(ports)}\n`)
