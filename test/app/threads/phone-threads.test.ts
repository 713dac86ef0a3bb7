import assert from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import { test } from 'node:test'
import { BroadcastChannel } from 'node:worker_threads'
import type { Log } from '#app/log.ts'
import { PHONE_THREADS_MAX, PhoneThreads } from '#app/threads/phone-threads.ts'
import type { HostedPhone, LogEntry } from '#contracts/thread-frames.ts'
import { bundled } from '#test/kit/bundle.ts'
import { HANGS_AFTER_MS } from '#test/kit/patience.ts'

function phoneOf(deviceId: string): HostedPhone {
  const access = { url: 'http://127.0.0.1:9', username: 'sms', password: 'x', phoneId: deviceId }
  const about = { name: deviceId, socketUrl: 'ws://127.0.0.1:9', token: 't', dataDir: '/', allowedHosts: [] }
  return { deviceId, access, ...about }
}

test('few phones have a thread each, more phones share, and a dead thread ends only its own', {
  timeout: HANGS_AFTER_MS,
}, async t => {
  const news = new EventEmitter()
  const threads = new Map<string, unknown>()
  const ended: string[] = []
  const failed: unknown[] = []
  const take = ({ event, fields }: LogEntry) => {
    if (event === 'hosted') threads.set(String(fields?.['deviceId']), fields?.['threadId'])
    if (event === 'phone.failed') failed.push(fields?.['deviceId'])
    news.emit('news')
  }
  const log: Log = { entry: take, write: (level, event, fields) => take({ level, event, fields }) }
  const phones = new PhoneThreads({ log, entry: bundled('idle-host') })
  const until = async (isSo: () => boolean) => {
    while (!isSo()) await once(news, 'news')
  }
  const host = (deviceId: string) =>
    phones.host(phoneOf(deviceId), () => {
      ended.push(deviceId)
      news.emit('news')
    })
  const death = new BroadcastChannel('death')
  t.after(() => death.close())

  const ids = Array.from({ length: PHONE_THREADS_MAX + 2 }, (_, n) => `phone ${n}`)
  for (const id of ids) host(id)
  await until(() => threads.size === ids.length)
  assert.equal(new Set(threads.values()).size, PHONE_THREADS_MAX)
  assert.equal(new Set(ids.slice(0, PHONE_THREADS_MAX).map(id => threads.get(id))).size, PHONE_THREADS_MAX)
  const last = ids.at(-1) ?? ''
  const sharing = ids.filter(id => threads.get(id) === threads.get(last))
  assert.equal(sharing.length, 2, 'each thread gets one more before any gets two')

  death.postMessage(last)
  await until(() => ended.length === sharing.length)
  assert.deepEqual([ended, failed], [sharing, sharing])
  host(last)
  await until(() => threads.get(last) !== threads.get(sharing[0] ?? ''))

  for (const id of ids) phones.end(id)
  await until(() => new Set(ended).size === ids.length && ended.filter(id => id === last).length === 2)
  host('later')
  await until(() => threads.has('later'))
  phones.end('later')
  await until(() => ended.includes('later'))
})
