import { LIVE_FRAME_EVERY_MS, LIVE_NEWS_PER_FRAME_MAX } from '#contracts/bounds.ts'
import { type News, RESYNC } from '#contracts/live.ts'
import type { Effect } from '#domain/effect.ts'
import type { WatchedAccounts } from '#domain/live/watched-accounts.ts'
import type { Message } from '#domain/message/message.ts'
import { instant } from '#domain/time.ts'
import type { Stores } from '#domain/world.ts'
import type { TransactionObserver } from '#storage/memory.ts'

type WatchedStores = Pick<
  Stores,
  'messages' | 'inbox' | 'incidents' | 'devices' | 'webhooks' | 'seenTriggers' | 'notifications'
>

/** A span of `LIVE_FRAME_EVERY_MS`, and how many pieces of news of an account were sent in it. */
interface Window {
  readonly endsAtMs: number
  sent: number
}

/**
 * Collects live news from the writes of a transaction, for accounts with an open console page. The news is
 * sent after the commit.
 *
 * In each `LIVE_FRAME_EVERY_MS`, a listener sends a page one frame with at most `LIVE_NEWS_PER_FRAME_MAX`
 * pieces of news. If there are more, it sends a `resync` instead. So once an account has had that many in
 * this time, each further transaction sends only a `resync`. Under load, an open page hardly makes a send
 * slower.
 */
export class NewsGatherer implements TransactionObserver {
  readonly #watched: WatchedAccounts
  readonly #monoMs: () => number
  /**
   * News of the running transaction by account and then by subject. For each subject only the latest is kept.
   */
  #staged = new Map<string, Map<string, News>>()
  /** The current window of each account that had news. */
  readonly #windows = new Map<string, Window>()

  /** `monoMs`: the monotonic clock, in milliseconds. */
  constructor(watched: WatchedAccounts, monoMs: () => number) {
    this.#watched = watched
    this.#monoMs = monoMs
  }

  /**
   * Wraps stores so that their writes become news. `accountOfDevice` finds the account of a phone that is
   * being removed.
   */
  wrapStores(
    stores: WatchedStores,
    accountOfDevice: (deviceId: string) => string | undefined,
  ): WatchedStores {
    return {
      messages: this.#messages(stores.messages),
      inbox: this.#inbox(stores.inbox),
      incidents: this.#incidents(stores.incidents),
      devices: this.#devices(stores.devices, accountOfDevice),
      webhooks: this.#webhooks(stores.webhooks),
      seenTriggers: this.#seenTriggers(stores),
      notifications: this.#notifications(stores.notifications),
    }
  }

  /** Returns and removes the news of the transaction that was just committed. */
  takeNews(): Effect[] {
    if (this.#staged.size === 0) return []
    const staged = this.#staged
    this.#staged = new Map()
    return [...staged].flatMap(([accountId, items]) => {
      this.#count(accountId, items.size)
      const news = items.size > LIVE_NEWS_PER_FRAME_MAX ? [RESYNC] : [...items.values()]
      return news.map(one => ({
        kind: 'news' as const,
        accountId,
        news: one,
        listeners: this.#watched.listenersOf(accountId),
      }))
    })
  }

  discard(): void {
    this.#staged = new Map()
  }

  #add(accountId: string, news: News): void {
    if (this.#wants(accountId)) this.#stage(accountId, news)
  }

  /** False: no page shows the account, or a `resync` replaces the news. */
  #wants(accountId: string): boolean {
    if (!this.#watched.has(accountId)) return false
    const window = this.#windows.get(accountId)
    if (window === undefined || window.sent < LIVE_NEWS_PER_FRAME_MAX) return true
    if (window.endsAtMs <= this.#monoMs()) return true
    this.#stage(accountId, RESYNC)
    return false
  }

  #stage(accountId: string, news: News): void {
    const items = this.#staged.get(accountId) ?? new Map<string, News>()
    // Beyond the limit, a single `resync` replaces all news, so further ones need not be kept.
    if (items.size <= LIVE_NEWS_PER_FRAME_MAX) items.set(`${news.type} ${news.id}`, news)
    this.#staged.set(accountId, items)
  }

  #count(accountId: string, news: number): void {
    const nowMs = this.#monoMs()
    const window = this.#windows.get(accountId)
    if (window !== undefined && nowMs < window.endsAtMs) window.sent += news
    else this.#windows.set(accountId, { endsAtMs: nowMs + LIVE_FRAME_EVERY_MS, sent: news })
  }

  #messages(store: WatchedStores['messages']): WatchedStores['messages'] {
    return {
      ...store,
      insert: (tx, message) => {
        store.insert(tx, message)
        this.#addMessage(message)
      },
      save: (tx, message) => {
        store.save(tx, message)
        this.#addMessage(message)
      },
    }
  }

  #inbox(store: WatchedStores['inbox']): WatchedStores['inbox'] {
    return {
      ...store,
      insert: (tx, received) => {
        const isNew = store.insert(tx, received)
        if (isNew) this.#add(received.accountId, { type: 'received', id: received.id })
        return isNew
      },
    }
  }

  #incidents(store: WatchedStores['incidents']): WatchedStores['incidents'] {
    return {
      ...store,
      save: (tx, incident, before) => {
        store.save(tx, incident, before)
        this.#add(incident.accountId, { type: 'incident', id: incident.id })
      },
    }
  }

  #addMessage({ accountId, id, status, timeline, createdAt, deviceId, failure }: Message): void {
    if (!this.#wants(accountId)) return
    const at = instant(timeline.at(-1)?.at ?? createdAt)
    this.#stage(accountId, { type: 'message', id, status, at, deviceId, failure })
  }

  #devices(
    store: WatchedStores['devices'],
    accountOfDevice: (deviceId: string) => string | undefined,
  ): WatchedStores['devices'] {
    return {
      ...store,
      insert: (tx, device, tokenHash) => {
        store.insert(tx, device, tokenHash)
        this.#add(device.accountId, { type: 'device', id: device.id })
      },
      save: (tx, device) => {
        store.save(tx, device)
        this.#add(device.accountId, { type: 'device', id: device.id })
      },
      noteChange: device => {
        store.noteChange(device)
        this.#add(device.accountId, { type: 'device', id: device.id })
      },
      remove: (tx, deviceId, at) => {
        const accountId = accountOfDevice(deviceId)
        store.remove(tx, deviceId, at)
        if (accountId !== undefined) this.#add(accountId, { type: 'device', id: deviceId })
      },
    }
  }

  #webhooks(store: WatchedStores['webhooks']): WatchedStores['webhooks'] {
    const add = (accountId: string, id: string) => this.#add(accountId, { type: 'webhook', id })
    const addById = (id: string) => this.#addWebhook(store, id)
    return {
      ...store,
      insert: (tx, webhook, hashes) => {
        store.insert(tx, webhook, hashes)
        add(webhook.accountId, webhook.id)
      },
      save: (tx, webhook) => {
        store.save(tx, webhook)
        add(webhook.accountId, webhook.id)
      },
      saveToken: (tx, webhook, hashes) => {
        store.saveToken(tx, webhook, hashes)
        add(webhook.accountId, webhook.id)
      },
      saveReadings: (tx, id, readings) => {
        store.saveReadings(tx, id, readings)
        addById(id)
      },
      remove: (tx, id) => {
        addById(id)
        store.remove(tx, id)
      },
      accept: (tx, trigger, day) => {
        store.accept(tx, trigger, day)
        addById(trigger.webhookId)
      },
      reject: (tx, id, count) => {
        store.reject(tx, id, count)
        addById(id)
      },
    }
  }

  /** A trigger that sent no text changes only the history of its webhook. */
  #seenTriggers({ seenTriggers, webhooks }: WatchedStores): WatchedStores['seenTriggers'] {
    return {
      ...seenTriggers,
      add: (tx, webhookId, seen) => {
        seenTriggers.add(tx, webhookId, seen)
        this.#addWebhook(webhooks, webhookId)
      },
    }
  }

  #addWebhook(webhooks: WatchedStores['webhooks'], id: string): void {
    for (const accountId of this.#watched.accounts())
      if (webhooks.find(accountId, id) !== undefined) this.#add(accountId, { type: 'webhook', id })
  }

  #notifications(store: WatchedStores['notifications']): WatchedStores['notifications'] {
    const add = (accountId: string, id: string) => this.#add(accountId, { type: 'delivery', id })
    return {
      ...store,
      insert: (tx, delivery) => {
        store.insert(tx, delivery)
        add(delivery.accountId, delivery.id)
      },
      save: (tx, delivery) => {
        store.save(tx, delivery)
        add(delivery.accountId, delivery.id)
      },
    }
  }
}
