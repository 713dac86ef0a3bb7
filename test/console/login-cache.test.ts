/** What the console keeps of a login, in a document that is just enough for Preact. */
import assert from 'node:assert/strict'
import { test } from 'node:test'

class Node {
  readonly childNodes: Node[] = []
  readonly nodeType = 1
  readonly attributes = []
  parentNode: Node | null = null
  readonly localName: string

  constructor(localName: string) {
    this.localName = localName
  }

  get firstChild(): Node | null {
    return this.childNodes[0] ?? null
  }
}

interface Asked {
  readonly method: string
  readonly path: string
  answer(data: unknown): void
}

const asked: Asked[] = []
let onAsked = () => {}
const nothing = () => undefined
const stored = new Map([['roost half /', 'half of A']])
Object.assign(globalThis, {
  localStorage: {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  },
  sessionStorage: { getItem: () => null, setItem: nothing, removeItem: nothing },
  document: { documentElement: {}, baseURI: 'http://gateway/', hidden: false, addEventListener: nothing },
  location: { hash: '', host: 'gateway' },
  addEventListener: nothing,
  requestAnimationFrame: (run: () => void) => setImmediate(run),
  cancelAnimationFrame: clearImmediate,
  WebSocket: class {
    close = nothing
  },
  fetch: (url: string, { method }: { readonly method: string }) => {
    const { promise, resolve } = Promise.withResolvers<unknown>()
    const answer = (data: unknown) =>
      resolve({ ok: true, status: 200, headers: new Headers(), json: async () => ({ success: true, data }) })
    asked.push({ method, path: url.replace('http://gateway/api/v1/', ''), answer })
    onAsked()
    return promise
  },
})
const { h, render } = await import('preact')
const { cached, fetchEarly, keeper, useResource } = await import('#console/use-resource.ts')
const { logIn, logOut } = await import('#console/session-of-reader.ts')

/** Waits until the console has asked for this, and takes the call away. */
async function call(method: string, path: string): Promise<Asked> {
  for (;;) {
    const index = asked.findIndex(one => one.method === method && one.path === path)
    const [found] = index === -1 ? [] : asked.splice(index, 1)
    if (found !== undefined) return found
    await new Promise<void>(resolve => {
      onAsked = resolve
    })
  }
}

/** Lets everything run that waits for an answer which has come. */
const settled = () => new Promise(resolve => setImmediate(resolve))

/** Draws one component that draws nothing. Returns a function that ends it. */
function draw(component: () => void): () => void {
  const root = new Node('div') as unknown as Element
  const Drawn = () => {
    component()
    return null
  }
  render(h(Drawn, null), root)
  return () => render(null, root)
}

test('an answer that comes after the logout is not kept for the next login', async () => {
  fetchEarly(['devices'])
  const early = await call('GET', 'devices')
  const end = draw(() => void useResource('webhooks', []))
  const drawn = await call('GET', 'webhooks')
  const keep = keeper()
  const out = logOut()
  ;(await call('DELETE', 'session')).answer(null)
  await out
  const opened = logIn('b@example.org', 'correct horse battery')
  ;(await call('POST', 'session')).answer({ half: 'half of B', account: { email: 'b@example.org' } })
  await opened
  early.answer([{ id: 'phone of A' }])
  drawn.answer([{ id: 'webhook of A' }])
  keep('older sms', ['text of A'])
  await settled()
  assert.deepEqual(
    [cached('devices'), cached('webhooks'), cached('older sms')],
    [undefined, undefined, undefined],
  )
  end()
  keeper()('older sms', ['text of B'])
  assert.deepEqual(cached('older sms'), ['text of B'])
})

test('a list is asked for anew after one of its entries was removed', async () => {
  fetchEarly(['devices'])
  ;(await call('GET', 'devices')).answer([{ id: 'one' }, { id: 'two' }])
  let remove: () => Promise<void> = async () => assert.fail('nothing was drawn')
  const end = draw(() => {
    remove = useResource('devices/one', []).remove
  })
  ;(await call('GET', 'devices/one')).answer({ id: 'one' })
  const removed = remove()
  ;(await call('DELETE', 'devices/one')).answer(null)
  await removed
  end()
  const shown = Promise.withResolvers<unknown>()
  const endList = draw(() => {
    const { data } = useResource('devices', [])
    if (data !== undefined) shown.resolve(data)
  })
  void call('GET', 'devices').then(({ answer }) => answer([{ id: 'two' }]))
  assert.deepEqual(await shown.promise, [{ id: 'two' }])
  endList()
})
