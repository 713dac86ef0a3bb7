import type { Log } from '#app/log.ts'
import type { WriterThread } from '#app/threads/writer-thread.ts'
import type { Writer } from '#contracts/commands.ts'
import type { Config } from '#contracts/config.ts'
import { messageOf } from '#domain/cause.ts'

/** The number of the main thread among the writer's clients, and of its only watcher of news. */
const MAIN = 0
const WATCHER = 0

export interface HomeAssistantPorts {
  readonly config: Config
  readonly publicUrl: string
  /** The database file. */
  readonly database: string
  readonly writer: Writer
  readonly writerThread: Pick<WriterThread, 'onNews'>
  readonly log: Log
}

/**
 * Connects the gateway with Home Assistant if `mqtt.url` is set. Returns a function that ends it. A fault is
 * logged, and the gateway works without Home Assistant.
 */
export async function startHomeAssistant(ports: HomeAssistantPorts): Promise<() => Promise<void>> {
  const { config, log, writer, writerThread } = ports
  if (config.mqtt.url === '') return async () => {}
  try {
    const accountId = await accountOf(config.mqtt.account, writer)
    // Imported here, because most gateways do not need it.
    const { HomeBridge } = await import('#app/home-assistant/home-bridge.ts')
    const { openHomeReader } = await import('#app/home-assistant/read-home.ts')
    const reader = openHomeReader(ports.database, accountId, writer)
    const bridge = new HomeBridge({ ...ports, accountId, reader })
    writerThread.onNews = news => bridge.hear(news.map(one => one.news))
    await writer.ask('live.join', { accountId, listener: MAIN, socket: WATCHER })
    return () => bridge.stop()
  } catch (error) {
    log.write('error', 'mqtt.off', { cause: messageOf(error) })
    return async () => {}
  }
}

/** @throws Error that says what to configure */
async function accountOf(email: string, writer: Writer): Promise<string> {
  const accounts = await writer.ask('account.list', {})
  const [found, second] = accounts.filter(one => email === '' || one.email === email)
  if (found === undefined) throw new Error('mqtt.account names no account: write the e-mail address of one')
  if (second !== undefined) throw new Error('there are several accounts: name one in mqtt.account')
  return found.accountId
}
